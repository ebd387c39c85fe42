import type { Scan } from '../../db.ts'
import { checkTimeUntil } from '../../deadline.ts'
import { Unavailable } from '../../errors.ts'
import { compareSchema } from '../compare-schema.ts'
import type { Connection } from '../connection.ts'
import { describeDamage, failureOf, isDamage } from '../failures.ts'
import { connectAgain, type ServedFiles } from './served-files.ts'

export type ScanJob = { name: string; input: unknown; deadlineMs: number }

/** The result of a scan, or why there is none. Plain data, since it crosses threads. */
export type Scanned =
  | { value: unknown }
  | { unavailable: string }
  | { unreadable: string }
  | { defect: string }
type Scans = readonly Scan<unknown, unknown>[]

/** Runs scans one at a time, outside of the serving thread; a failed connection is replaced. */
export function openScanner(files: ServedFiles, scans: Scans) {
  let connection: Connection | undefined

  async function run(job: ScanJob): Promise<Scanned> {
    try {
      connection ??= connectAgain(files)
      return await runScan(connection, scans, job)
    } catch (error) {
      if (isDamage(error)) return { defect: describeDamage(error) }
      connection?.close()
      connection = undefined
      return { unreadable: String(error) }
    }
  }

  return {
    atOnce: 1,
    run: (jobs: readonly ScanJob[]) => Promise.all(jobs.map(run)),
    close: () => connection?.close(),
  }
}

/**
 * Returns the result of a scan, a timeout or a defect; throws only failures of the database. Each step of a scan has
 * its own snapshot, unless the scan asks for one for all, which blocks the checkpoint.
 */
export async function runScan(
  connection: Connection,
  scans: Scans,
  { name, input, deadlineMs }: ScanJob,
): Promise<Scanned> {
  try {
    const scan = scans.find((one) => one.name === name)
    if (!scan) throw new Error(`No scan is called ${name}.`)
    const sql = { ...connection, compareSchema: () => compareSchema(connection) }
    if (scan.isSnapshot) connection.exec('begin')
    return { value: await scan.run(sql, input, checkTimeUntil(deadlineMs)) }
  } catch (error) {
    if (failureOf(error)) throw error
    if (error instanceof Unavailable) return { unavailable: error.message }
    return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    if (connection.isTransaction) connection.exec('commit')
  }
}
