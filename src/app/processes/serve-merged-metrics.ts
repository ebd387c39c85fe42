import type { Config } from '../../config/config.ts'
import type { Log } from '../../telemetry/log.ts'
import { mergeMetrics } from '../../telemetry/metrics/merge-metrics.ts'
import { listenForMetrics, type ServedMetrics } from '../listen-for-metrics.ts'
import type { SupervisedProcess } from './supervised-process.ts'

/** Serves the metrics of all processes, each as it is at the scrape. Throws `ExitError`. */
export function serveMergedMetrics(
  processes: () => readonly SupervisedProcess[],
  address: NonNullable<Config['metricsAddress']>,
  log: Log,
): Promise<ServedMetrics> {
  async function write(): Promise<string> {
    const all = await Promise.all(
      processes().map(async (process) => [process.number, await process.readMetrics()] as const),
    )
    return mergeMetrics(all)
  }
  return listenForMetrics({ write }, address, log)
}
