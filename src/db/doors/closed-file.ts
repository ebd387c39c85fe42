import { existsSync, statSync } from 'node:fs'
import type { RowReader } from '../copying/copying.ts'
import type { Db, Scan } from '../db.ts'
import { configurationError, damagedError, OpenError } from '../errors.ts'
import { syncFile } from '../files/sync.ts'
import { type Connection, connect } from '../sqlite/connection.ts'
import { readerOn } from '../sqlite/copying/store-reader.ts'
import { explained, explainOpening } from '../sqlite/explain-opening.ts'
import { failureOf } from '../sqlite/failures.ts'
import { backupId, readFileHeader, storeId } from '../sqlite/file-header.ts'
import { runScan } from '../sqlite/serving/scanner.ts'

/** A file of SQLite that nobody changes: a backup, or a store that is complete and not served yet. Scans have no deadline. */
export type ClosedFile = RowReader & Disposable & Pick<Db, 'scan'> & Pick<Connection, 'all'>

/** Opens a file read-only, with whatever application id. Throws OpenError. */
export function openClosedFile(
  path: string,
  scans: readonly Scan<unknown, unknown>[] = [],
): ClosedFile {
  const connection = connectTo(path)
  return {
    ...readerOn(connection, path),
    all: connection.all,
    async scan<I, O>({ name }: Scan<I, O>, input: I): Promise<O> {
      const job = { name, input, deadlineMs: Number.POSITIVE_INFINITY }
      const outcome = await explained(path, () => runScan(connection, scans, job))
      if ('value' in outcome) return outcome.value as O
      throw new Error(`A statement failed: ${JSON.stringify(outcome)}`)
    },
    [Symbol.dispose]: connection.close,
  }
}

/** Changes a file that counts only once it is complete and synced: nothing is written for a crash. */
export async function changeClosedFile<T>(
  path: string,
  change: (connection: Connection) => T | Promise<T>,
): Promise<T> {
  using connection = connect(path)
  connection.exec('pragma journal_mode = memory; pragma synchronous = off')
  return await change(connection)
}

/** What a file is, as its header says; `undefined` where it is neither. */
export function kindOf(path: string): 'store' | 'backup' | undefined {
  const id = statSync(path).isFile() ? readFileHeader(path)?.id : undefined
  return id === backupId ? 'backup' : id === storeId ? 'store' : undefined
}

/** Makes a store a backup, which no version of the program serves, and which has no claim. */
export function markAsBackup(connection: Connection): void {
  connection.exec(`pragma application_id = ${backupId}; pragma user_version = 0`)
}

/** The number that a backup and the store that it became have in their headers; 0 for any other. */
export function claimOf(path: string): number {
  return (existsSync(path) && readFileHeader(path)?.userVersion) || 0
}

/** Gives a backup that has no claim this one, durably: of several at the same time one does. Throws `configuration`. */
export async function claimBackup(path: string, claim: number): Promise<void> {
  await changeClosedFile(path, (backup) => {
    backup.exec('begin exclusive')
    const [row] = backup.all<[bigint]>('pragma user_version')
    if (row?.[0] !== 0n) throw configurationError(`${path} was restored elsewhere meanwhile.`)
    writeClaim(backup, claim)
    backup.exec('commit')
  })
  syncFile(path)
}

/** A claim is a signed number of 32 bits. */
export function writeClaim(connection: Pick<Connection, 'exec'>, claim: number): void {
  connection.exec(`pragma user_version = ${claim}`)
}

/** Maps what SQLite says of a file that anybody may have made to an OpenError: its header may ask for what is not supported. */
export function explainReading(path: string, error: unknown): Error {
  const explained = explainOpening(path, error)
  if (!('errcode' in explained)) return explained
  return damagedError(`${path} cannot be read: ${explained.message}.`, error)
}

/** Explains why a file could not be filled; its messages name the file that people know. */
export function explainFilling(
  error: unknown,
  { file, name, action }: { file: string; name: string; action: string },
): unknown {
  if (!(error instanceof Error)) return error
  if (failureOf(error) === 'full' || ('code' in error && error.code === 'ENOSPC')) {
    return new OpenError('ioError', `There is no room to ${action}: ${error.message}.`, error)
  }
  if (!(error instanceof OpenError)) return error
  return new OpenError(error.reason, error.message.replaceAll(file, name), error)
}

function connectTo(path: string): Connection {
  try {
    return connect(path, 'immutable')
  } catch (error) {
    throw explainReading(path, error)
  }
}
