import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { type Retention, selectExpired } from './retention.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const counts = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined })
const retentions: fc.Arbitrary<Retention> = fc
  .record({ last: counts, hourly: counts, daily: counts, weekly: counts })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, count]) => count !== undefined)))
/** Seconds of ten weeks, since names have whole seconds. */
const times = fc
  .uniqueArray(fc.integer({ min: 0, max: (70 * dayMs) / 1_000 }), { minLength: 1, maxLength: 60 })
  .map((seconds) => seconds.map((second) => Date.UTC(2026, 9, 1) + second * 1_000))

/** The periods of a rule that have a backup, as calendars name them: `2026-12-05T03`, `2026-12-05`, the week's Monday. */
const names = {
  last: (ms: number) => new Date(ms).toISOString(),
  hourly: (ms: number) => new Date(ms).toISOString().slice(0, 13),
  daily: (ms: number) => new Date(ms).toISOString().slice(0, 10),
  weekly(ms: number) {
    const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7
    return new Date(ms - sinceMonday * dayMs).toISOString().slice(0, 10)
  },
}

/** Whether a rule keeps a backup: it is the newest of its period, and fewer than `count` later periods have one. */
function isKeptBy(rule: keyof Retention, count: number, timeMs: number, all: readonly number[]) {
  const nameOf = names[rule]
  const later = all.filter((other) => other > timeMs).map(nameOf)
  return !later.includes(nameOf(timeMs)) && new Set(later).size < count
}

it('the newest is kept, and exactly those that no rule keeps expire; a second run deletes nothing', () => {
  fc.assert(
    fc.property(times, retentions, (all, retention) => {
      const expired = selectExpired(all, retention)
      const left = all.filter((timeMs) => !expired.includes(timeMs))

      const newest = Math.max(...all)
      const expected = all.filter(
        (timeMs) =>
          timeMs !== newest &&
          !Object.entries(retention).some(([rule, count]) =>
            isKeptBy(rule as keyof Retention, count, timeMs, all),
          ),
      )
      assert.deepEqual(expired.toSorted(), expected.toSorted())
      assert.deepEqual(selectExpired(left, retention), [])
    }),
  )
})

it('hourly backups of ten weeks, rotated after each, leave those of 24 hours, 14 days and 8 weeks', () => {
  const retention = { hourly: 24, daily: 14, weekly: 8 }
  let left: number[] = []
  for (let timeMs = Date.UTC(2026, 8, 25, 23, 4); left.at(-1) !== endMs; timeMs += hourMs) {
    left.push(timeMs)
    const expired = new Set(selectExpired(left, retention))
    left = left.filter((one) => !expired.has(one))
  }

  const hours = left.slice(-24)
  assert.deepEqual([hours[0], hours.at(-1)], [endMs - 23 * hourMs, endMs])
  // A Friday, so that this week and the two before are among the 14 days.
  assert.deepEqual(left.slice(0, -24).map(names.daily), [
    ...['2026-10-18', '2026-10-25', '2026-11-01', '2026-11-08', '2026-11-15'],
    ...['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'],
    ...['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02'],
  ])
})

const endMs = Date.UTC(2026, 11, 4, 22, 4)
