import { type Moves, next } from '../../../states.ts'
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
/** How long readers may block a checkpoint. */
const checkpointWaitMaxMs = 1_000
/** How long they may block that of a database that was moved. */
const rescueWaitMaxMs = 200

/**
 * A writer is
 * - open, while it has a connection;
 * - closed, from a start at which the log of an earlier process could not be emptied (full disk, or readers), or from an error
 *   that left unknown whether a batch is stored: the next batch opens a connection, which empties the log before anything is
 *   committed;
 * - lost, once three batches in a row ended so, or a file was moved, deleted or replaced: it stores nothing any more.
 */
type WriterState = 'open' | 'closed' | 'lost'

/** Why a batch is not acknowledged. `refused`: nothing is stored. `unknown`: stored or not. `lost`: as `unknown`, and the process exits. */
type Failure = 'refused' | 'unknown' | 'lost'

/** The end of a batch moves the writer. */
export const writerMoves: Moves<WriterState, 'opened' | 'stored' | Failure> = {
  open: { stored: 'open', refused: 'open', unknown: 'closed', lost: 'lost' },
  closed: { opened: 'open', refused: 'closed', unknown: 'closed', lost: 'lost' },
  lost: { refused: 'lost' },
}

export type BatchResult = (Committed & { warning?: string }) | { result: Failure; reason: string }

type Writer = {
  atOnce: number
  /** Commits several batches in one transaction; returns a result for each. */
  run(batches: readonly (readonly NamedJob[])[]): Promise<BatchResult[]>
  close(): void
}

/** The state that a writer takes over from the thread that opened the database. */
export type WriterStart = {
  files: ServedFiles
  state: 'open' | 'closed'
}

/** Commits batches to one database file. */
export function openWriter({ files, state: first }: WriterStart, writes: Writes): Writer {
  let state: WriterState = first
  /** Of the state `lost`. */
  let loss = ''
  /** How many batches in a row have left unknown whether they are stored. */
  let failures = 0
  const warnings: string[] = []
  const witness = openWitness(files.path, (sentence) => warnings.push(sentence))
  /** Of the state `open`; in the others it is closed, unless a file was moved. */
  let session = state === 'open' ? begin(connect(files.path)) : undefined

  function begin(connection: Connection) {
    return { connection, log: identifyLog(files), commits: countCommits(connection, witness) }
  }

  /** The connection of the state `open`. */
  async function open() {
    if (session && state === 'open') return session
    await sleep(reopenDelayMs * 4 ** Math.max(0, failures - 1))
    requireNoLoss(files)
    const fresh = connectAgain(files)
    try {
      completeCheckpoint(fresh)
    } catch (error) {
      fresh.close()
      throw error
    }
    state = next(writerMoves, state, 'opened')
    session = begin(fresh)
    return session
  }

  async function commit(jobs: readonly NamedJob[]): Promise<BatchResult> {
    if (state === 'lost') return fail('refused', loss)
    try {
      const { connection, commits, log } = await open()
      const committed = await commitBatch(connection, writes, jobs, { last: commits.count })
      const change = findChange(files) ?? findChange(log)
      if (change !== undefined) throw new FilesChanged(change)
      commits.witness()
      state = next(writerMoves, state, 'stored')
      failures = 0
      return committed
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (error instanceof FilesChanged) {
        rescue()
        return fail('lost', reason)
      }
      if (isDamage(error)) return commitIndividually(jobs, error)
      const failure = failureOf(error)
      if (failure === 'full' || failure === 'busy') return fail('refused', reason)
      giveUp()
      failures += 1
      if (failures < failuresMax) return fail('unknown', reason)
      return fail('lost', `It has failed ${failuresMax} times in a row: ${reason}`)
    }
  }

  function fail(result: Failure, reason: string): BatchResult {
    state = next(writerMoves, state, result)
    if (state === 'lost') loss = reason
    return { result, reason }
  }

  /**
   * Nothing was stored. Runs each job alone; the one that meets the damaged page is a defect. Their times are added up, and
   * reported as those of one commit; with `inputs` 0 none is reported.
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
  function rescue() {
    if (!session || isLogForeign(session.log)) return
    try {
      completeCheckpoint(session.connection, rescueWaitMaxMs)
    } catch {
      // The log is unchanged and holds all acknowledged commits.
    }
  }

  function giveUp() {
    try {
      session?.connection.close()
    } catch {
      // Errors of a connection that is dropped do not matter.
    }
  }

  return {
    atOnce: Number.POSITIVE_INFINITY,
    async run(batches) {
      const result = await commit(batches.flat())
      if (!('settled' in result)) return batches.map(() => result)
      const [warning] = warnings.splice(0)
      const warned = warning === undefined ? result : { ...result, warning }
      let taken = 0
      return batches.map(({ length }) => {
        taken += length
        return { ...warned, settled: result.settled.slice(taken - length, taken) }
      })
    },
    close() {
      if (findChange(files) !== undefined) rescue()
      giveUp()
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

/** SQLITE_BUSY. */
const busyCode = 5

/**
 * Copies the whole log into the database and syncs it. A failed sync leaves log frames in memory that look clean, so
 * this must complete before the next acknowledgement. Throws when it cannot.
 */
function completeCheckpoint(connection: Connection, waitMaxMs = checkpointWaitMaxMs): void {
  connection.exec(`pragma busy_timeout = ${waitMaxMs}`)
  const [row] = connection.all<[isBusy: bigint, ...bigint[]]>('pragma wal_checkpoint(truncate)')
  connection.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  if (row?.[0] === 0n) return
  const message = 'its log cannot be emptied while another process reads it'
  throw Object.assign(new Error(message), { errcode: busyCode })
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
