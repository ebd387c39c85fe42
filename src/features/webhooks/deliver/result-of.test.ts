import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pauseAfter, readRetryAfter } from './result-of.ts'

const hourMs = 3_600_000

it('ten attempts, each after the one before: 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, 0, undefined))

  assert.deepEqual(pauses, [
    ...[5_000, 300_000, 1_800_000],
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
    undefined,
  ])
  assert.equal(pauseAfter(2, 1, undefined), 330_000)
})

it('Retry-After makes a pause longer, up to a day', () => {
  assert.equal(pauseAfter(1, 0, 60_000), 60_000)
  assert.equal(pauseAfter(2, 0, 60_000), 300_000)
  assert.equal(pauseAfter(1, 0, 100 * hourMs), 24 * hourMs)
  assert.equal(pauseAfter(10, 0, 60_000), undefined)
})

it('Retry-After is a number of seconds or a date; anything else is ignored', () => {
  const nowMs = Date.parse('2026-11-23T10:00:00Z')
  for (const [header, ms] of [
    ['120', 120_000],
    ['0', 0],
    ['Mon, 23 Nov 2026 10:01:00 GMT', 60_000],
    ['Mon, 23 Nov 2026 09:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-11-24', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(readRetryAfter(header, nowMs), ms)
})
