import type { Measure, Results } from './results.ts'
import { type Estimate, estimate } from './statistics.ts'
import { before, type WorkloadName, workloads } from './workloads.ts'

/** Ours divided by the version before, per round. */
export type Comparison = {
  workload: WorkloadName
  measure: Measure
  estimate: Estimate
  outcome: 'no worse' | 'worse' | 'void'
}

/** A workload is no worse when its whole interval is below this, and worse when all of it is above 1. */
const worseMin = 1.05

/** Compares each workload by its primary measure; a slow sync by the p99 of its reads. */
export function compareWithBefore({ windows }: Results): Comparison[] {
  return workloads.flatMap(({ name, primaryMetric, syncDelayMs }) => {
    const { ours = [], [before]: old = [] } = windows[name] ?? {}
    if (windows[name] === undefined) return []
    const measure = syncDelayMs === undefined ? primaryMetric : 'p99Ms'
    const measured = estimate(
      ours.map((window, round) => window[measure] / (old[round]?.[measure] ?? Number.NaN)),
    )
    return [{ workload: name, measure, estimate: measured, outcome: outcomeOf(measured) }]
  })
}

function outcomeOf({ low, high }: Estimate): Comparison['outcome'] {
  if (high < worseMin) return 'no worse'
  return low > 1 ? 'worse' : 'void'
}
