import { sleep } from '../../../timers.ts'
import { instantMs } from '../../deadline.ts'
import { countChanges } from '../../writes/run-write.ts'
import { busyTimeoutMs, type Connection, connect } from '../connection.ts'
import { describeDamage, failureOf, isDamage } from '../failures.ts'
import { findLossBeside } from '../loss/read-file-state.ts'
import { countCommits, openWitness } from '../loss/witness.ts'
import { type Committed, commitBatch, type NamedJob, type Writes } from './commit.ts'
import {
  connectAgain,
  FilesChanged,
  findChange,
  identifyLog,
  isLogForeign,
  type ServedFiles,
} from './served-files.ts'

/** After this many consecutive failures the process exits. */
const failuresMax = 3
const reopenDelayMs = 100
/** How long readers may block a checkpoint … */
const checkpointWaitMaxMs = 1_000
/** … and how long after the database was moved. */
const rescueWaitMaxMs = 200

/**
 * The result of a batch. `refused`: nothing is stored. `unknown`: stored or not, so nothing is acknowledged. `lost`: as
 * `unknown`, and the process exits.
 */
export type BatchResult =
  | (Committed & { warning?: string })
  | { result: 'refused' | 'unknown' | 'lost'; reason: string }

type Writer = {
  atOnce: number
  /** Commits several batches in one transaction; returns a result for each. */
  run(batches: readonly (readonly NamedJob[])[]): Promise<BatchResult[]>
  close(): void
}

/** The state that a writer takes over from the thread that opened the database. */
export type WriterStart = {
  files: ServedFiles
  /**
   * The checkpoint at the start was not possible (full disk, or readers) and must complete before anything is
   * acknowledged.
   */
  isBehind: boolean
}

/**
 * Commits batches to one database file. After an I/O error the connection is replaced, since an error on commit means
 * unknown, not no; the new connection completes a checkpoint before its first commit. Once a file was moved, deleted or
 * replaced, nothing is acknowledged.
 */
export function openWriter({ files, isBehind }: WriterStart, writes: Writes): Writer {
  let connection = isBehind ? undefined : connect(files.path)
  let log = identifyLog(files)
  let failures = 0
  let lost: string | undefined
  let warning: string | undefined
  const witness = openWitness(files.path, (sentence) => {
    warning = sentence
  })
  let commits = connection && countCommits(connection, witness)

  async function reopen(): Promise<Connection> {
    await sleep(reopenDelayMs * 4 ** Math.max(0, failures - 1))
    requireNoLoss(files)
    const fresh = connectAgain(files)
    try {
      completeCheckpoint(fresh)
      log = identifyLog(files)
      return fresh
    } catch (error) {
      fresh.close()
      throw error
    }
  }

  async function commit(jobs: readonly NamedJob[]): Promise<BatchResult> {
    if (lost !== undefined) return { result: 'refused', reason: lost }
    try {
      connection ??= await reopen()
      commits ??= countCommits(connection, witness)
      const committed = await commitBatch(connection, writes, jobs, { last: commits.count })
      const change = findChange(files) ?? findChange(log)
      if (change !== undefined) throw new FilesChanged(change)
      commits.witness()
      failures = 0
      return committed
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof FilesChanged) {
        lost = reason
        rescue(connection)
        return { result: 'lost', reason }
      }
      if (isDamage(error)) return commitIndividually(jobs, error)
      const failure = failureOf(error)
      if (failure === 'full' || failure === 'busy') return { result: 'refused', reason }
      failures += 1
      giveUp(connection)
      connection = undefined
      commits = undefined
      return failures < failuresMax
        ? { result: 'unknown', reason }
        : { result: 'lost', reason: `It has failed three times in a row: ${reason}` }
    }
  }

  function withWarning(result: BatchResult): BatchResult {
    if (warning === undefined || !('settled' in result)) return result
    const warned = { ...result, warning }
    warning = undefined
    return warned
  }

  /**
   * Nothing was stored. Runs each job alone; the one that meets the damaged page is a defect. Counts as one commit, as long as
   * theirs; as none where nothing was stored.
   */
  async function commitIndividually(jobs: readonly NamedJob[], error: Error): Promise<BatchResult> {
    const times = { inputs: 0, statementsMs: 0, commitMs: 0 }
    const changed = new Map<string, number>()
    const committed: Committed = { settled: [], changed, commit: times, beganMs: instantMs() }
    if (jobs.length === 1) return { ...committed, settled: [{ defect: describeDamage(error) }] }
    for (const job of jobs) {
      const result = await commit([job])
      if (!('settled' in result)) {
        const isPartlyStored = result.result === 'refused' && times.inputs > 0
        return isPartlyStored ? { ...result, result: 'unknown' } : result
      }
      committed.settled.push(...result.settled)
      for (const [type, count] of result.changed) countChanges(changed, type, count)
      times.inputs += result.commit.inputs
      times.statementsMs += result.commit.statementsMs
      times.commitMs += result.commit.commitMs
    }
    return committed
  }

  /**
   * Copies the log into the moved database: SQLite would leave the log at the old path, where another database could
   * take it as its own.
   */
  function rescue(moved: Connection | undefined) {
    if (isLogForeign(log)) return
    try {
      if (moved) completeCheckpoint(moved, rescueWaitMaxMs)
    } catch {
      // The log is unchanged and holds all acknowledged commits.
    }
  }

  return {
    atOnce: Number.POSITIVE_INFINITY,
    async run(batches) {
      const result = withWarning(await commit(batches.flat()))
      if (!('settled' in result)) return batches.map(() => result)
      let taken = 0
      return batches.map(({ length }) => {
        taken += length
        return { ...result, settled: result.settled.slice(taken - length, taken) }
      })
    },
    close() {
      if (findChange(files) !== undefined) rescue(connection)
      giveUp(connection)
      witness.close()
    },
  }
}

/** Throws FilesChanged if commits are lost: with no connection left, SQLite drops what follows damage in the log. */
function requireNoLoss(files: ServedFiles) {
  if (findChange(files) !== undefined) return
  const loss = findLossBeside(files.path)
  if (loss !== undefined) throw new FilesChanged(loss)
}

/**
 * Copies the whole log into the database and syncs it. A failed sync leaves log frames in memory that look clean, so
 * this must complete before the next acknowledgement. Throws when it cannot.
 */
function completeCheckpoint(connection: Connection, waitMaxMs = checkpointWaitMaxMs): void {
  connection.exec(`pragma busy_timeout = ${waitMaxMs}`)
  const [row] = connection.all<[bigint, bigint, bigint]>('pragma wal_checkpoint(truncate)') as [
    bigint,
    bigint,
    bigint,
  ][]
  connection.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  if (row?.[0] !== 0n) throw new DatabaseInUse()
}

/** Why the log of an earlier process cannot be checkpointed now. */
const obstacles = {
  full: 'the disk is full, and the log that an earlier process left has to be copied into the database first. Writes get 503 until there is room.',
  busy: 'another process reads it, and the log that an earlier process left has to be copied into the database first. Writes get 503 until it has been read.',
}

/** Checkpoints the log of an earlier process. Returns why that is impossible now; reads work without it. */
export function emptyLog(connection: Connection): string | undefined {
  try {
    completeCheckpoint(connection)
    return undefined
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'full' || failure === 'busy') return obstacles[failure]
    throw error
  }
}

/** Readers block the checkpoint (SQLITE_BUSY). */
class DatabaseInUse extends Error {
  readonly errcode = 5

  constructor() {
    super('its log cannot be emptied while another process reads it')
  }
}

function giveUp(connection: Connection | undefined) {
  try {
    connection?.close()
  } catch {
    // Errors of a connection that is dropped do not matter.
  }
}
