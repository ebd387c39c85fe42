import { perRound } from './goals.ts'
import type { Measure, Results } from './results.ts'
import { type Estimate, estimate } from './statistics.ts'
import { before, plainCreatesOf, type WorkloadName, workloads } from './workloads.ts'

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

/** A workload of ours alone divided by plain creates on the same engine, per round. */
export type OwnWrites = { workload: WorkloadName; perSecond: Estimate; processorUs: Estimate }

/** Compares each workload of ours alone that was measured with plain creates. */
export function compareWithPlainCreates(results: Results): OwnWrites[] {
  const own = workloads.filter(({ name, hasContenders }) => !hasContenders && results.windows[name])
  return own.map((workload) => {
    const relative = (measure: Measure) =>
      estimate(
        perRound(results, (get) => {
          const plain = get(plainCreatesOf(workload), 'ours', measure)
          return get(workload.name, 'ours', measure) / plain
        }),
      )
    const { name } = workload
    return {
      workload: name,
      perSecond: relative('perSecond'),
      processorUs: relative('processorUs'),
    }
  })
}
