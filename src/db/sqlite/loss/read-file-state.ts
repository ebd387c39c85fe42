import { existsSync } from 'node:fs'
import { damagedError, type OpenError } from '../../errors.ts'
import { connect } from '../connection.ts'
import { isDamage } from '../failures.ts'
import { readAt, readFileHeader, storeId } from '../file-header.ts'
import { type FileState, findLoss, type Traces } from './find-loss.ts'
import { type LogContents, readLog } from './read-log.ts'
import { findStoreRow } from './sequence-page.ts'
import { selectStoreRow } from './store-row.ts'
import { readWitness, witnessPath } from './witness.ts'

/** That of a store; for files whose header cannot be read. */
const pageSizeDefault = 4096

/**
 * Whether opening the files of a database would lose commits that were acknowledged, or they already lack some. Reads them
 * without SQLite's recovery, which drops what is behind a bad frame of the log, and deletes the log on closing. The
 * files must not be open in any process. Returns `damaged`; throws SQLite's errors.
 */
export function findLossAt(path: string): OpenError | undefined {
  const found = readFileState(path)
  const loss = found && findLoss(found)
  return loss === undefined ? undefined : damagedError(loss)
}

/**
 * A sentence about a store with neither a log nor a witness, as a copy of its file alone has: a service writes the witness
 * before it acknowledges anything. `undefined` where one of them is there, or the file was never served.
 */
export function findDoubtAt(path: string): string | undefined {
  if (existsSync(`${path}-wal`) || readWitness(path).length > 0) return undefined
  if (typeof readFileState(path)?.fileRow !== 'object') return undefined
  return `${path} has neither its log nor ${witnessPath(path)}: if it is a copy that was made while the store was served, what only its log had is missing; petstore backup makes whole copies.`
}

/**
 * Reads the files of a store; `undefined` where there is none, or a database of another program. `isTolerant` reads what it
 * can of a damaged database.
 */
export function readFileState(path: string, { isTolerant = false } = {}): FileState | undefined {
  if (!existsSync(path)) return undefined
  const pageSize = pageSizeOf(path) ?? (isTolerant ? pageSizeDefault : undefined)
  if (pageSize === undefined) return undefined
  const traces = readTraces(path)
  return { path, ...traces, fileRow: findFileRow(path, pageSize, { ...traces, isTolerant }) }
}

/**
 * A sentence that says what is missing in the files that this process serves. It reads them by SQLite, since closing another
 * descriptor would drop this process's locks, on a connection that cannot write, so that the log stays.
 */
export function findLossBeside(path: string): string | undefined {
  using reader = connect(path, 'read')
  return findLoss({ path, ...readTraces(path), fileRow: selectStoreRow(reader) })
}

/** What is beside a database, which may be missing or of any kind. */
export function readTraces(path: string): Traces {
  return { log: readLog(`${path}-wal`), witness: readWitness(path) }
}

/** The size of a page of a database of this program; `undefined` for another file. */
function pageSizeOf(path: string): number | undefined {
  const header = readFileHeader(path)
  // A first start that was killed has not written the application's id to the file yet.
  return header && [0, storeId].includes(header.id) ? header.pageSize : undefined
}

/** The row of the store in the database file alone. */
function findFileRow(
  path: string,
  pageSize: number,
  { log, isTolerant }: { log: LogContents | undefined; isTolerant: boolean },
): FileState['fileRow'] {
  if (log?.rowPage !== undefined) {
    const page = Buffer.alloc(pageSize)
    return readAt(path, page, (log.rowPage - 1) * pageSize) ? findStoreRow(page) : undefined
  }
  try {
    using connection = connect(path, 'immutable')
    return selectStoreRow(connection)
  } catch (error) {
    // A power cut during a checkpoint may have torn a page, which the log holds.
    if ((log || isTolerant) && isDamage(error)) return 'unreadable'
    throw error
  }
}
