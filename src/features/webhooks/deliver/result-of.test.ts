import assert from 'node:assert/strict'
import { it } from 'node:test'
import { resultOf, type Taken } from './result-of.ts'

const hourMs = 3_600_000
const nowMs = Date.parse('2026-11-23T10:00:00Z')
const attempt = { attemptedAt: '2026-11-23T09:00:00.000Z', durationMs: 12, responseStatus: 500 }

/** How long the next attempt waits after this many have failed; undefined where none follows. */
function pauseAfter(made: number, retryAfter?: string): number | undefined {
  const due: Taken = {
    id: 1n,
    webhookId: 1n,
    eventId: 7n,
    eventType: 'pet.created',
    status: 'pending',
    createdAt: attempt.attemptedAt,
    nextAttemptAt: '2026-11-23T10:00:00.000Z',
    attempts: Array.from({ length: made - 1 }, () => attempt),
    leasedUntil: 0n,
  }
  const header = retryAfter === undefined ? {} : { retryAfter }
  const { status, attempts, dueAt, fault } = resultOf(
    due,
    { durationMs: 12, responseStatus: 500, ...header },
    { url: 'https://shop.example/', startMs: nowMs, endMs: nowMs },
  )
  assert.deepEqual([attempts.length, fault?.isGone], [made, false])
  assert.equal(status, dueAt === undefined ? 'failed' : 'pending')
  return dueAt === undefined ? undefined : dueAt - nowMs
}

it('ten attempts, each after the one before: 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1))

  assert.deepEqual(pauses, [
    5_000,
    300_000,
    1_800_000,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
    undefined,
  ])
})

it('Retry-After makes a pause longer, up to a day', () => {
  assert.equal(pauseAfter(1, '60'), 60_000)
  assert.equal(pauseAfter(2, '60'), 300_000)
  assert.equal(pauseAfter(1, '360000'), 24 * hourMs)
  assert.equal(pauseAfter(10, '60'), undefined)
})

it('Retry-After is a number of seconds or a date; anything else is ignored', () => {
  for (const [retryAfter, ms] of [
    ['120', 120_000],
    ['0', 5_000],
    ['Mon, 23 Nov 2026 10:01:00 GMT', 60_000],
    ['Mon, 23 Nov 2026 09:00:00 GMT', 5_000],
    ['-1', 5_000],
    ['99.5', 5_000],
    ['soon', 5_000],
    ['2026-11-24', 5_000],
    [undefined, 5_000],
  ] as const)
    assert.equal(pauseAfter(1, retryAfter), ms, String(retryAfter))
})
