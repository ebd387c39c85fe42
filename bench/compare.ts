import { perRound } from './goals.ts'
import type { Measure, Results, Window } from './results.ts'
import { type Estimate, estimate, median } from './statistics.ts'
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
type OwnWrites = { workload: WorkloadName; perSecond: Estimate; processorUs: Estimate }

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

/** Processor time per answer of a server and of its variant, the ratio per round, and what the variant answers a second. */
export type Variation = {
  workload: string
  server: string
  plainUs: number
  variantUs: number
  ratio: Estimate
  perSecond: number
}

/** Compares each server with its variant, where that was measured. */
export function compareVariants(
  { windows }: Results,
  variantOf: (server: string) => string,
): Variation[] {
  return Object.entries(windows).flatMap(([workload, servers]) =>
    Object.entries(servers).flatMap(([server, plain]) => {
      const { [variantOf(server)]: variant } = servers
      if (variant === undefined) return []
      const costs = (of: readonly Window[]) => of.map(({ processorUs }) => processorUs)
      const ratios = costs(variant).map((cost, round) => cost / (costs(plain)[round] ?? Number.NaN))
      return {
        workload,
        server,
        ratio: estimate(ratios),
        plainUs: median(costs(plain)),
        variantUs: median(costs(variant)),
        perSecond: median(variant.map((window) => window.perSecond)),
      }
    }),
  )
}

const observedRatioMax = 1.2

/** Whether a log of requests and metrics cost ours at most a fifth more; true of others. */
export function isCheapToObserve({ server, ratio }: Variation): boolean {
  return server !== 'ours' || ratio.median <= observedRatioMax
}
