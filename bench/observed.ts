import { compareVariants, type Variation } from './compare.ts'
import { variantsTable } from './report/tables.ts'
import type { Results } from './results.ts'
import { observed } from './workloads.ts'

const ratioMax = 1.2

/** What a log of requests and metrics cost a server. */
export function compareObserved(results: Results): Variation[] {
  return compareVariants(results, observed)
}

/** Whether being observed costs ours at most a fifth more; true of others. */
export function isCheapToObserve({ server, ratio }: Variation): boolean {
  return server !== 'ours' || ratio.median <= ratioMax
}

export function observedTable(observations: readonly Variation[]): string {
  return variantsTable('with log and metrics', observations)
}
