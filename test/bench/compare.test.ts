import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareWithBefore, compareWithPlainCreates } from '../../bench/compare.ts'
import { comparisonTable, ownTable, resultsTable } from '../../bench/report/tables.ts'
import { someResults, windowsOf } from './some-results.ts'

function compare(ours: readonly number[], before: readonly number[]) {
  const windows = (values: readonly number[]) =>
    values.flatMap((processorUs) => windowsOf({ processorUs }, 1))
  const results = { ...someResults(), windows: { creates: { ours: windows(ours) } } }
  Object.assign(results.windows.creates, { before: windows(before) })
  return compareWithBefore(results)
}

const steady = [20, 21, 20, 21, 20, 21, 20, 21, 20]

it('a workload is no worse when its whole interval ends below 1.05', () => {
  const comparisons = compare(
    steady.map((value) => value * 1.03),
    steady,
  )

  assert.deepEqual(
    comparisons.map(({ workload, outcome }) => [workload, outcome]),
    [['creates', 'no worse']],
  )
  assert.match(comparisonTable(comparisons), /^\| creates +\| processorUs \| 1\.030 \(1\.030 to /m)
})

it('a workload is worse when its whole interval is above 1', () => {
  const [comparison] = compare(
    steady.map((value) => value * 1.08),
    steady,
  )

  assert.equal(comparison?.outcome, 'worse')
})

it('a workload is void when its interval is wide, or a window of the version before is missing', () => {
  const [wide] = compare([18, 24, 18, 24, 18, 24, 18, 24, 18], steady)
  const [missing] = compare(steady, steady.slice(1))
  const [failed] = compare([], [])

  assert.equal(wide?.outcome, 'void')
  assert.equal(missing?.outcome, 'void')
  assert.equal(failed?.outcome, 'void')
})

const rates = [100, 200, 100, 200, 100, 200, 100, 200, 100]

/** Half the rate and thrice the processor time of plain creates on PostgreSQL in each round. */
function someOrders() {
  const windows = (perSecond: (rate: number) => number, processorUs: number) =>
    rates.flatMap((rate) => windowsOf({ perSecond: perSecond(rate), processorUs }, 1))
  const name = 'PostgreSQL, orders of few pets'
  const ours = windows((rate) => rate / 2, 60)
  return {
    ...someResults(),
    windows: {
      creates: { ours: windowsOf({ perSecond: 9_000 }) },
      'PostgreSQL, creates': { ours: windows((rate) => rate, 20) },
      [name]: { ours, 'ours again': ours },
    },
  }
}

it('writes of ours alone are relative to plain creates of the same engine and round', () => {
  const results = someOrders()

  assert.deepEqual(compareWithPlainCreates(results), [
    {
      workload: 'PostgreSQL, orders of few pets',
      perSecond: { median: 0.5, low: 0.5, high: 0.5 },
      processorUs: { median: 3, low: 3, high: 3 },
    },
  ])
  assert.match(
    ownTable(results) ?? '',
    /^\| PostgreSQL, orders of few pets +\| 50 +\| 60 +\| 0\.5 \(0\.5 to 0\.5\) +\| 3 \(3 to 3\) +\|$/m,
  )
  assert.doesNotMatch(resultsTable(results), /orders/)
})
