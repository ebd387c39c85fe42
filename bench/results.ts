/** One window of one server: what its answers cost, and how they came. What could not be counted is absent. */
export type Window = {
  /** Of the service with all its threads, and of its database server, per answer. */
  processorUs: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  peakMiB: number
  createsPerSync?: number
}
export type Measure = keyof Window

/** Memory over a long run: the mean over its third and over its last quarter. */
export type LongRun = { requests: number; thirdQuarterMiB: number; lastQuarterMiB: number }

/** What one run measured; `bench/results/` keeps it, and everything that is shown is computed from it. */
export type Results = {
  madeOn: string
  isQuick: boolean
  machine: Record<string, string>
  versions: Record<string, string>
  /** Workload, server, and a window for each round. */
  windows: Record<string, Record<string, Window[]>>
  /** Workload, server: how many requests one query answered, in a window of its own. */
  requestsPerQuery: Record<string, Record<string, number>>
  /** Process start to first 200, by server, for each round. */
  startMs: Record<string, number[]>
  longRuns: Record<string, LongRun>
  /** Workload, server: why there is a dash. */
  dashes: Record<string, Record<string, string>>
}

/** As a file: readable, one line for the windows of a server. */
export function formatResults(results: Results): string {
  const text = JSON.stringify(results, roundNumbers, 1)
  const flat = text.replaceAll(/\{[^{}]*\}/g, (object) => object.replaceAll(/\n\s*/g, ' '))
  return `${flat.replaceAll(/\[[^[\]]*\]/g, (array) => array.replaceAll(/\n\s*/g, ' '))}\n`
}

function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value
}
