import type { LogContents } from './read-log.ts'
import type { FoundRow } from './sequence-page.ts'
import { latestRow, type StoreRow } from './store-row.ts'
import { witnessPath } from './witness.ts'

/** The files of a database as they are, read without SQLite's recovery. */
export type FileState = {
  path: string
  /** The mark of a serving process in the file's header. */
  isServed: boolean
  /** `missing`: no file; `empty`: a log without frames. */
  log: LogContents | 'missing' | 'empty'
  /** The row of the store in the database file; `unreadable` while a power cut may have torn its page. */
  fileRow: FoundRow | 'unreadable' | undefined
  /** The rows in the slots of the witness. */
  witness: readonly StoreRow[]
}

/** The state that a connection would see, and what was there. */
type Standing = { visible: StoreRow | undefined; latest: StoreRow | undefined }

/** The store's row as a connection would see it, and the latest that the files tell of. */
export function standingOf({
  log,
  fileRow,
  witness,
}: Pick<FileState, 'log' | 'fileRow' | 'witness'>): Standing {
  const contents = typeof log === 'string' ? undefined : log
  const visible = contents?.last ?? (fileRow === 'unreadable' ? undefined : fileRow)
  const known = [contents?.latest, ...witnessesOf(visible, witness)]
  return { visible, latest: known.reduce((latest, row) => latestRow(latest, row), visible) }
}

/**
 * A sentence that says what opening these files would lose, or what they already lack; `undefined` where an unclean exit or
 * a power cut explains them.
 */
export function findLoss(found: FileState): string | undefined {
  return (
    damagedLog(found) ??
    otherLog(found) ??
    otherStore(found) ??
    lackingCommits(found) ??
    copyWithoutLog(found)
  )
}

function damagedLog(found: FileState): string | undefined {
  const { path, log, fileRow } = found
  if (typeof log === 'string' || !log.isLossy) return undefined
  // A log that begins anew has been copied to the file; its header may be torn by a power cut.
  const copied = typeof fileRow === 'object' ? fileRow.commits : -1n
  const isCopied = log.latest !== undefined && log.latest.commits <= copied
  if (!log.isHeaderSound && isCopied) return undefined
  const where = log.firstBad === 0 ? 'in its header' : `at frame ${log.firstBad} of ${log.frames}`
  return `${path}-wal, the log of ${path}, is damaged ${where}: opening it would lose ${lossOf(found)}. ${advice}`
}

/** A log that begins later than the file ends, or that belongs to another store. */
export function otherLog({ path, log, fileRow }: FileState): string | undefined {
  if (typeof log === 'string' || !log.first || typeof fileRow !== 'object') return undefined
  if (!fileRow.isUntorn) return undefined
  const { first } = log
  if (first.store === fileRow.store && first.commits <= fileRow.commits + 1n) return undefined
  const why =
    first.store === fileRow.store
      ? `the file ends with commit ${fileRow.commits}, the log begins with commit ${first.commits}`
      : 'the log is of another store'
  return `${path} and its log ${path}-wal do not belong together: ${why}. ${advice}`
}

/** No crash explains it: a witness is written after the store has its row. */
function otherStore(found: FileState): string | undefined {
  const { path, fileRow, witness } = found
  const { visible } = standingOf(found)
  if (witness.length === 0 || fileRow === 'unreadable') return undefined
  if (witness.some(({ store }) => store === visible?.store)) return undefined
  return `${path} is not the store of ${witnessPath(path)}: another file was put in its place. Nothing was changed. Put the right file back. To serve this one, run petstore recover; it skips the ids that the other one may have assigned.`
}

function lackingCommits(found: FileState): string | undefined {
  const { visible } = standingOf(found)
  const [last] = witnessesOf(visible, found.witness)
  if (!visible || !last || last.commits <= visible.commits) return undefined
  return `${found.path} lacks ${lossOf(found)}, as ${witnessPath(found.path)} shows: its log was damaged or deleted, or an older copy was put in its place. ${advice}`
}

function copyWithoutLog(found: FileState): string | undefined {
  const { path, isServed, log, witness } = found
  if (!isServed || log !== 'missing') return undefined
  if (witnessesOf(standingOf(found).visible, witness).length > 0) return undefined
  return `${path} is a copy that was made while the store was served, without its log ${path}-wal: the last changes are missing. Nothing was changed. Make copies with petstore backup; petstore recover makes a store of this one, without those changes.`
}

const advice =
  'Nothing was changed. Run petstore recover, which keeps these files and saves what it can, or restore a backup.'

/** The rows of this store in a witness, the latest first. */
function witnessesOf(visible: StoreRow | undefined, witness: readonly StoreRow[]): StoreRow[] {
  if (!visible) return []
  return witness
    .filter(({ store }) => store === visible.store)
    .sort((one, other) => Number(other.commits - one.commits))
}

/** `commits 12 to 40, which were acknowledged`. */
function lossOf(found: FileState): string {
  const { visible, latest } = standingOf(found)
  if (!latest) return 'commits that were acknowledged'
  const first = (visible?.commits ?? 0n) + 1n
  return first >= latest.commits
    ? `commit ${latest.commits}, which was acknowledged`
    : `commits ${first} to ${latest.commits}, which were acknowledged`
}
