import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareWithBefore } from '../../bench/compare.ts'
import { comparisonTable } from '../../bench/report/tables.ts'
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
