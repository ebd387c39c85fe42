import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, commitBatch, type Job, type Writes } from './commit.ts'
import { busyTimeoutMs, type Connection, connect } from './connection.ts'
import { failureOf, isDamage } from './failures.ts'
import { describeDamage } from './read-apart.ts'
import {
  connectAgain,
  FilesChanged,
  findChange,
  identifyLog,
  isLogForeign,
  type ServedFiles,
} from './served-files.ts'

/** Failures in a row after which the process ends rather than go on trying. */
const failuresMax = 3
const reopenDelayMs = 100
/** Readers may keep the log from being emptied this long … */
const checkpointWaitMaxMs = 1_000
/** … and this long where its database was moved. */
const rescueWaitMaxMs = 200

/**
 * What became of a batch. `refused`: nothing of it is stored. `unknown`: it may be stored or not, and
 * nothing may be acknowledged. `lost`: as unknown, and this database is given up.
 */
export type BatchResult =
  | { answers: Answer[] }
  | { result: 'refused' | 'unknown' | 'lost'; reason: string }

type Writer = {
  atOnce: number
  /** Commits the batches together: one result for each. */
  run(batches: readonly (readonly Job[])[]): Promise<BatchResult[]>
  close(): void
}

/** What a writer takes over from the thread that has opened the database. */
export type WriterStart = {
  files: ServedFiles
  /** The log has to be copied into the database before anything is acknowledged: there was no room for it, or it was read. */
  isBehind: boolean
}

/**
 * Commits batches to one database file. After an I/O error the connection is given up, since an error
 * on commit means unknown, not no; a fresh one copies the log into the database before it is used.
 * Once a file was moved, deleted or replaced, nothing is acknowledged any more.
 */
export function openWriter({ files, isBehind }: WriterStart, writes: Writes): Writer {
  let connection = isBehind ? undefined : connect(files.path)
  let log = identifyLog(files)
  let failures = 0
  let lost: string | undefined

  async function reopen(): Promise<Connection> {
    await sleep(reopenDelayMs * 4 ** Math.max(0, failures - 1))
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

  async function commit(jobs: readonly Job[]): Promise<BatchResult> {
    if (lost !== undefined) return { result: 'refused', reason: lost }
    try {
      connection ??= await reopen()
      const answers = await commitBatch(connection, writes, jobs)
      const change = findChange(files) ?? findChange(log)
      if (change !== undefined) throw new FilesChanged(change)
      failures = 0
      return { answers }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof FilesChanged) {
        lost = reason
        rescue(connection)
        return { result: 'lost', reason }
      }
      if (isDamage(error)) return commitApart(jobs, error)
      const failure = failureOf(error)
      if (failure === 'full' || failure === 'busy') return { result: 'refused', reason }
      failures += 1
      giveUp(connection)
      connection = undefined
      return failures < failuresMax
        ? { result: 'unknown', reason }
        : { result: 'lost', reason: `It has failed three times in a row: ${reason}` }
    }
  }

  /** Nothing was stored: each job is tried alone, and the one that meets the damaged page is a defect. */
  async function commitApart(jobs: readonly Job[], error: Error): Promise<BatchResult> {
    if (jobs.length === 1) return { answers: [{ defect: describeDamage(error) }] }
    const answers: Answer[] = []
    for (const job of jobs) {
      const result = await commit([job])
      if (!('answers' in result)) return result
      answers.push(...result.answers)
    }
    return { answers }
  }

  /**
   * Copies what was acknowledged into the database, wherever that is by now: SQLite would leave the log at the old path,
   * where whatever database comes to be there would take it for its own.
   */
  function rescue(moved: Connection | undefined) {
    if (isLogForeign(log)) return
    try {
      if (moved) completeCheckpoint(moved, rescueWaitMaxMs)
    } catch {
      // The log stays as it is, with all that was acknowledged.
    }
  }

  return {
    atOnce: Number.POSITIVE_INFINITY,
    async run(batches) {
      const result = await commit(batches.flat())
      if (!('answers' in result)) return batches.map(() => result)
      let taken = 0
      return batches.map(({ length }) => {
        taken += length
        return { answers: result.answers.slice(taken - length, taken) }
      })
    },
    close() {
      if (findChange(files) !== undefined) rescue(connection)
      giveUp(connection)
    },
  }
}

/**
 * Copies the whole log into the database and syncs it. A failed sync leaves log frames in memory that
 * look clean, so nothing is acknowledged on top of them before this. Throws when it cannot be completed.
 */
export function completeCheckpoint(connection: Connection, waitMaxMs = checkpointWaitMaxMs): void {
  connection.exec(`pragma busy_timeout = ${waitMaxMs}`)
  const [row] = connection.all<[bigint, bigint, bigint]>('pragma wal_checkpoint(truncate)') as [
    bigint,
    bigint,
    bigint,
  ][]
  connection.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  if (row?.[0] !== 0n) throw new DatabaseInUse()
}

/** Somebody reads the database for so long that the log cannot be emptied. SQLite's code for it is SQLITE_BUSY. */
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
    // Nothing of it is trusted any more.
  }
}
