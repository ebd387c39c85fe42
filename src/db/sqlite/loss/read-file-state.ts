import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { OpenError } from '../../errors.ts'
import { storeId } from '../application-id.ts'
import { connect } from '../connection.ts'
import { isDamage } from '../failures.ts'
import { type FileState, findLoss } from './find-loss.ts'
import { fill, isPageSize } from './log-format.ts'
import { type LogContents, readLog } from './read-log.ts'
import { findStoreRow } from './sequence-page.ts'
import { selectStoreRow, servedMark } from './store-row.ts'
import { readWitness } from './witness.ts'

const headerBytes = 100
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
  return loss === undefined ? undefined : new OpenError('damaged', loss)
}

/**
 * Reads the files of a store; `undefined` where there is none, or a database of another program. `isTolerant` reads what it
 * can of a damaged database.
 */
export function readFileState(path: string, { isTolerant = false } = {}): FileState | undefined {
  if (!existsSync(path)) return undefined
  const header =
    readHeader(path) ?? (isTolerant ? { pageSize: pageSizeDefault, isServed: false } : undefined)
  if (!header) return undefined
  const contents = readLog(`${path}-wal`, header.pageSize)
  return {
    path,
    isServed: header.isServed,
    log: contents ?? (existsSync(`${path}-wal`) ? 'empty' : 'missing'),
    fileRow: findFileRow(path, header.pageSize, { log: contents, isTolerant }),
    witness: readWitness(path),
  }
}

/**
 * A sentence that says what is missing in the files that this process serves. It reads them by SQLite, since closing another
 * descriptor would drop this process's locks, on a connection that cannot write, so that the log stays.
 */
export function findLossBeside(path: string): string | undefined {
  const reader = connect(path, 'read')
  try {
    const row = selectStoreRow(reader)
    const log = readLog(`${path}-wal`, pageSizeDefault) ?? 'empty'
    const fileRow = row && { ...row, isUntorn: true }
    return findLoss({ path, isServed: true, log, fileRow, witness: readWitness(path) })
  } finally {
    reader.close()
  }
}

/** What is beside a database, which may be missing or of any kind. */
export function readTraces(path: string): Pick<FileState, 'log' | 'witness'> {
  const header = existsSync(path) ? readHeader(path) : undefined
  const contents = readLog(`${path}-wal`, header?.pageSize ?? pageSizeDefault)
  return { log: contents ?? 'missing', witness: readWitness(path) }
}

/** The header of a database of this program (sqlite.org/fileformat2.html, section 1.3). */
function readHeader(path: string): { pageSize: number; isServed: boolean } | undefined {
  const bytes = Buffer.alloc(headerBytes)
  if (!readAt(path, bytes, 0) || bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    return undefined
  const stored = bytes.readUInt16BE(16)
  const pageSize = stored === 1 ? 65_536 : stored
  // A first start that was killed has not written the application's id to the file yet.
  const isOwn = [0, storeId].includes(bytes.readUInt32BE(68))
  if (!isOwn || !isPageSize(pageSize)) return undefined
  return { pageSize, isServed: bytes.readUInt32BE(60) === servedMark }
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
    const connection = connect(path, 'immutable')
    try {
      const row = selectStoreRow(connection)
      return row && { ...row, isUntorn: true }
    } finally {
      connection.close()
    }
  } catch (error) {
    // A power cut during a checkpoint may have torn a page, which the log holds.
    if ((log || isTolerant) && isDamage(error)) return 'unreadable'
    throw error
  }
}

function readAt(path: string, buffer: Buffer, position: number): boolean {
  const descriptor = openSync(path, 'r')
  try {
    return (
      fstatSync(descriptor).size >= position + buffer.length && fill(descriptor, buffer, position)
    )
  } finally {
    closeSync(descriptor)
  }
}
