import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createQuota, takeRequest } from './quota.ts'

it('the clock of a test bench may go back: the quota goes on from there', () => {
  const quota = createQuota(1)
  const taken = [9e9, 9e9, 0, 999, 1_000].map((nowMs) => takeRequest(quota, nowMs))

  assert.deepEqual(taken, [true, false, false, false, true])
})

it('a quota lets through exactly its burst, then its rate, however often it is asked', () => {
  for (const [perSecond, burst] of [
    [1, 1],
    [3, 7],
    [1_000, 1],
    [7, 100],
  ] as const) {
    const quota = createQuota(perSecond, burst)
    let taken = 0
    // From the first millisecond to the last one of ten seconds.
    for (let nowMs = 0; nowMs <= 10_000; nowMs += 1)
      for (let round = 0; round < 3; round += 1) if (takeRequest(quota, nowMs)) taken += 1
    assert.equal(taken, burst + perSecond * 10)
  }
})
