import { highestIds } from '../../schema/last-ids.ts'
import type { LogContents } from './read-log.ts'
import { latestRow, type StoreRow } from './store-row.ts'
import { witnessPath } from './witness.ts'

/** The files of a database as they are, read without SQLite's recovery. */
export type FileState = Traces & {
  path: string
  /** The row of the store in the database file; `unreadable` while a power cut may have torn its page. */
  fileRow: StoreRow | 'unreadable' | undefined
}

/** The log and the witness beside a database. */
export type Traces = {
  /** Absent where there is no log that SQLite reads. */
  log: LogContents | undefined
  /** The rows in the slots of the witness. */
  witness: readonly StoreRow[]
}

/**
 * A sentence that says what opening these files would lose, or what they already lack; `undefined` where an unclean exit or
 * a power cut explains them: decision 23 says why neither explains one of these. The log is needed beside the witness: it alone
 * is synced with every commit, so it alone tells of the last second before a power cut, and of a file older than its log.
 */
export function findLoss(found: FileState): string | undefined {
  const { path, log, fileRow, witness } = found
  const { row, visible, own, latest } = standingOf(found)
  const lost = describeLost(visible, latest)
  // Behind a bad frame there is a commit, and a frame of the next transaction.
  if (log?.isLossy) {
    return `${path}-wal, the log of ${path}, is damaged at frame ${log.firstBad} of ${log.frames}: opening it would lose ${lost}. ${advice}`
  }
  if (hasOtherLog(found)) {
    const why =
      log?.first?.store === row?.store
        ? `the file ends with commit ${row?.commits}, the log begins with commit ${log?.first?.commits}`
        : 'the log is of another store'
    return `${path} and its log ${path}-wal do not belong together: ${why}. ${advice}`
  }
  // The witness is written after the store has its row.
  if (witness.length > 0 && fileRow !== 'unreadable' && own.length === 0) {
    return `${path} is not the store of ${witnessPath(path)}: another file was put in its place. Nothing was changed. Put the right file back. To serve this one, run petstore recover; it skips the ids that the other one may have assigned.`
  }
  // The witness is written after the sync of a commit.
  if (visible && own.some(({ commits }) => commits > visible.commits)) {
    return `${path} lacks ${lost}, as ${witnessPath(path)} shows: its log was damaged or deleted, or an older copy was put in its place. ${advice}`
  }
  return undefined
}

const advice =
  'Nothing was changed. Run petstore recover, which keeps these files and saves what it can, or restore a backup.'

/** `commits 12 to 40, which were acknowledged`. */
function describeLost(visible: StoreRow | undefined, latest: StoreRow | undefined): string {
  if (!latest) return 'commits that were acknowledged'
  const first = (visible?.commits ?? 0n) + 1n
  return first >= latest.commits
    ? `commit ${latest.commits}, which was acknowledged`
    : `commits ${first} to ${latest.commits}, which were acknowledged`
}

/** Whether the log is of another store, or its first commit does not follow the last one of the file. */
export function hasOtherLog(found: FileState): boolean {
  const { row } = standingOf(found)
  const first = found.log?.first
  if (!first || !row || row.isTorn) return false
  return first.store !== row.store || first.commits > row.commits + 1n
}

/** The store's row as a connection would see it, and the latest that the files tell of. */
export function standingOf(found: FileState) {
  const row = typeof found.fileRow === 'string' ? undefined : found.fileRow
  const visible = found.log?.last ?? row
  const own = found.witness.filter(({ store }) => store === visible?.store)
  const latest = [found.log?.latest, ...own].reduce(latestRow, visible)
  return { row, visible, own, latest }
}

/** The highest ids that the files of a store tell of, those of another store at this place included. */
export function recordedIds({ log, witness, ...found }: Traces & Partial<FileState>) {
  const row = typeof found.fileRow === 'string' ? undefined : found.fileRow
  return highestIds([log?.latest, log?.last, row, ...witness].map((one) => one?.ids))
}
