import { ServiceError } from '../../errors.ts'
import { checkTimeUntil } from '../deadline.ts'
import type { Outcome, Scan } from '../seam.ts'
import { type Connection, connect } from './connection.ts'

export type ScanJob = { name: string; input: unknown; deadlineMs: number }
export type ScanAnswer = Outcome<unknown> | { defect: string }
type Scans = ReadonlyMap<string, Scan<unknown, unknown>>

/** Runs scans one at a time, each on a snapshot of its own, away from the serving thread. */
export function openScanner(path: string, scans: Scans) {
  const connection = connect(path)
  return {
    run: (job: ScanJob) => runScan(connection, scans, job),
    close: () => connection.close(),
  }
}

/** Never throws: a scan that ran out of time is refused, any other failure is told as a defect. */
export async function runScan(
  connection: Connection,
  scans: Scans,
  { name, input, deadlineMs }: ScanJob,
): Promise<ScanAnswer> {
  try {
    const scan = scans.get(name)
    if (!scan) throw new Error(`No scan is called ${name}.`)
    connection.exec('begin')
    try {
      return { value: await scan.run(connection, input, checkTimeUntil(deadlineMs)) }
    } finally {
      connection.exec('rollback')
    }
  } catch (error) {
    if (error instanceof ServiceError)
      return { refusal: { code: error.code, message: error.message } }
    return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
