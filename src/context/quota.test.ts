import assert from 'node:assert/strict'
import { it } from 'node:test'
import { serialize } from 'node:v8'
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

it('10,000 keys at their limits take memory once, however many requests they send', () => {
  const quotas = Array.from({ length: 10_000 }, () => createQuota(1))
  const sendAll = (nowMs: number) => quotas.map((quota) => takeRequest(quota, nowMs))

  for (let nowMs = 0; nowMs < 10_000; nowMs += 100) sendAll(nowMs)

  assert.ok(serialize(quotas).length < 1_000_000)
})
