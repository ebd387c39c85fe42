import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, commitTogether, type Job, type Writes } from './commit.ts'
import { type Connection, connect } from './connection.ts'
import { failureOf } from './failures.ts'

/** Failures in a row after which the process ends rather than go on trying. */
const failuresMax = 3
const reopenDelayMs = 100

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

/**
 * Commits batches to one database file. After an I/O error the connection is given up, since an error
 * on commit means unknown, not no; a fresh one copies the log into the database before it is used.
 */
export function openWriter(path: string, writes: Writes): Writer {
  let connection: Connection | undefined = connect(path)
  let failures = 0

  async function reopen(): Promise<Connection> {
    await sleep(reopenDelayMs * 4 ** Math.max(0, failures - 1))
    const fresh = connect(path)
    try {
      completeCheckpoint(fresh)
      return fresh
    } catch (error) {
      fresh.close()
      throw error
    }
  }

  async function commit(jobs: readonly Job[]): Promise<BatchResult> {
    try {
      connection ??= await reopen()
      const answers = await commitTogether(connection, writes, jobs)
      failures = 0
      return { answers }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const failure = failureOf(error)
      if (failure === 'full' || failure === 'busy') return { result: 'refused', reason }
      failures += 1
      giveUp(connection)
      connection = undefined
      return { result: failures < failuresMax ? 'unknown' : 'lost', reason }
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
      giveUp(connection)
    },
  }
}

/**
 * Copies the whole log into the database and syncs it. A failed sync leaves log frames in memory that
 * look clean, so nothing is acknowledged on top of them before this. Throws when it cannot be completed.
 */
export function completeCheckpoint(connection: Connection): void {
  const [row] = connection.all<[bigint, bigint, bigint]>('pragma wal_checkpoint(truncate)') as [
    bigint,
    bigint,
    bigint,
  ][]
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
