import { markdownTable } from './report/tables.ts'
import type { Results, Window } from './results.ts'
import { type Estimate, estimate, median } from './statistics.ts'
import { observed, type WorkloadName, workloads } from './workloads.ts'

/** What a log of requests and metrics cost a server: processor time per answer without and with them, and the ratio per round. */
type Observation = {
  workload: WorkloadName
  server: string
  plainUs: number
  observedUs: number
  ratio: Estimate
}

const ratioMax = 1.2

export function compareObserved({ windows }: Results): Observation[] {
  return workloads.flatMap(({ name }) => {
    const servers = windows[name] ?? {}
    return Object.keys(servers).flatMap((server) => {
      const { [server]: plain = [], [observed(server)]: observing } = servers
      if (observing === undefined) return []
      const costs = (of: readonly Window[]) => of.map(({ processorUs }) => processorUs)
      const ratios = costs(observing).map(
        (cost, round) => cost / (costs(plain)[round] ?? Number.NaN),
      )
      return {
        ...{ workload: name, server, ratio: estimate(ratios) },
        ...{ plainUs: median(costs(plain)), observedUs: median(costs(observing)) },
      }
    })
  })
}

/** Whether being observed costs ours at most a fifth more; true of others. */
export function isCheapToObserve({ server, ratio }: Observation): boolean {
  return server !== 'ours' || ratio.median <= ratioMax
}

export function observedTable(observations: readonly Observation[]): string {
  return markdownTable([
    ['workload', 'server', 'µs', 'µs with log and metrics', 'ratio (95 % interval)'],
    ...observations.map(({ workload, server, plainUs, observedUs, ratio }) => [
      workload,
      server,
      plainUs.toFixed(1),
      observedUs.toFixed(1),
      `${ratio.median.toFixed(3)} (${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`,
    ]),
  ])
}
