/** One window of one server. All values are per answer or over all answers of the window. */
export type Window = {
  /** Processor time per answer: the service with all its threads, plus its database server. */
  processorUs: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  peakMiB: number
  /** Absent without creates, or where syncs cannot be counted. */
  createsPerSync?: number
}
export type Measure = keyof Window

/** What one run measured. Everything that is shown is computed from it. */
export type Results = {
  madeOn: string
  /** Written by hand: where the figures no longer describe the current code. */
  remarks?: string[]
  machine: Record<string, string>
  versions: Record<string, string>
  /** Workload, server, one window per round. */
  windows: Record<string, Record<string, Window[]>>
  /** Workload, server: why the server has no windows. */
  skips: Record<string, Record<string, string>>
}

/** What people would take instead of ours, each started anew for each window. */
export type Alternatives = {
  madeOn: string
  versions: Record<string, string>
  measured: Record<string, Measured>
}
type Measured = {
  /** Of the contract. */
  keeps: { [part in 'state' | 'keys' | 'validation' | 'int64']?: boolean }
  windows: Record<'startS' | 'peakMiB' | 'p50Ms' | 'processorUs', number>[]
}

/** The text of a results file: one line for the windows of a server, five digits per number. */
export function formatResults(results: Results | Alternatives): string {
  const text = JSON.stringify(results, roundNumbers, 1)
  const flat = text.replaceAll(/\{[^{}]*\}/g, (object) => object.replaceAll(/\n\s*/g, ' '))
  return `${flat.replaceAll(/\[[^[\]]*\]/g, (array) => array.replaceAll(/\n\s*/g, ' '))}\n`
}

function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value
}
