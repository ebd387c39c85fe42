import type { Db, Scan } from '../../db.ts'
import type { Storage } from '../../storage.ts'
import { connect } from '../connection.ts'
import { failureOf } from '../failures.ts'
import { explainOpening } from '../locking/prepare.ts'
import { runScan } from '../serving/scanner.ts'

/** Scans of a file that nobody changes, such as a backup; without a deadline. */
type FileScans = Pick<Db, 'scan'> & { close(): void }

/** Opens a file to scan it, read-only and with every application id. Throws OpenError. */
export function openFileScans(path: string, { scans }: Pick<Storage, 'scans'>): FileScans {
  const known = new Map(scans.map((scan) => [scan.name, scan]))
  const connection = connect(path, 'immutable')

  return {
    async scan<I, O>({ name }: Scan<I, O>, input: I): Promise<O> {
      const job = { name, input, deadlineMs: Number.POSITIVE_INFINITY }
      const outcome = await runScan(connection, known, job).catch((error) => {
        throw failureOf(error) ? explainOpening(path, error) : error
      })
      if ('value' in outcome) return outcome.value as O
      throw new Error(`A statement failed: ${JSON.stringify(outcome)}`)
    },
    close: () => connection.close(),
  }
}
