import { performance, sleep } from '../../timers.ts'
import { type Batcher, createBatcher } from '../batching/batcher.ts'
import { createLimiter } from '../batching/limiter.ts'
import { joinQueues, type Queue } from '../batching/queue.ts'
import type { IdempotencyClaim, Log, Replayable, Write } from '../db.ts'
import { LockTimeout, Refusal, Unavailable } from '../errors.ts'
import type { ServeOptions } from '../opening/open-options.ts'
import {
  ClaimConflict,
  ClaimHeld,
  formatClaimId,
  insertResults,
  keyInUse,
  resultOf,
} from '../writes/idempotency.ts'
import { createCommitReporter, type Job, type Ran, runWrite } from '../writes/run-write.ts'
import type { Explanations } from './explain-failures.ts'
import { connectionAfter, failureOf, isDataError, UnconfirmedCommit } from './failures.ts'
import type { Pool } from './pool.ts'
import { type Transaction, transactionOn } from './transaction.ts'

/**
 * Concurrent batches of inputs that may wait for rows or claims. Others run one batch at a time, with all inputs that
 * arrived during the last.
 */
const batchesAtOnce = 3
/** Concurrent transactions of jobs that left their batches. Leaves connections to other work. */
const apartAtOnce = 8
/** Concurrent long waits for rows and claims that other transactions hold. */
const waitsAtOnce = 3
/** How long a claim is waited for while other jobs need the connection. */
const claimWaitMaxMs = 20
/** How long a row is waited for while other jobs need the connection. */
const rowWaitMaxMs = 200
/** After a repeated claim others are likely: so long, results are looked up before a write. */
const lookUpMs = 1_000
/** After these attempts the jobs leave the batch. */
const batchLimits: Limits = { lockMaxMs: rowWaitMaxMs, attemptsMax: 2, presumesNew: true }
/** Serialization failures, deadlocks and unique violations are repeated. */
const laneLimits: Limits = { attemptsMax: 6 }

type Limits = {
  lockMaxMs?: number
  attemptsMax: number
  /** Whether the first attempt looks up no stored result. */
  presumesNew?: boolean
}

type WritesOptions = Pick<ServeOptions, 'onCommit' | 'warn'> & { log: Log | undefined }

type AnyWrite = Write<unknown, unknown>
type Failed = { error: unknown; mayBeStored: boolean }

/**
 * Runs writes beside other processes. The jobs of a write that wait are one transaction, and several such transactions
 * are in flight. A batch that fails with nothing stored is taken apart: then only jobs of the same row wait for each
 * other.
 */
export function createWrites(
  pool: Pool,
  explainWrite: Explanations['explainWrite'],
  { log, ...observing }: WritesOptions,
) {
  const reportCommitted = createCommitReporter(observing)
  /** By write. A job without a result leaves its batch. */
  const batches = new Map<string, Batcher<Job, Ran | undefined>>()
  /** By row, or by job where its write names no row. */
  const lanes = new Map<unknown, Batcher<Job, Ran | Failed>>()
  const limiter = createLimiter(apartAtOnce)
  const waits = createLimiter(waitsAtOnce)
  const longWrites = createLimiter(1)
  const running = new Set<Promise<unknown>>()
  let lookedUpUntilMs = 0

  async function run(write: AnyWrite, job: Job): Promise<Replayable<unknown>> {
    const ran = await runBatched(write, job)
    if ('refusal' in ran) throw ran.refusal
    return { value: ran.value, isReplayed: ran.isReplayed ?? false, bytes: ran.bytes ?? 0 }
  }

  async function runBatched(write: AnyWrite, job: Job): Promise<Ran> {
    // What may only repeat a request waits until that has ended in other processes.
    if (job.claim?.obstacle) await passClaim(job.claim)
    if (lanes.has(rowOf(write, job))) return runInLane(write, job)
    const isOrdered = write.rowOf !== undefined
    // Without a row, inputs that have no claim never wait for another transaction: they do not share batches with claims.
    const name = job.claim && !isOrdered ? `${write.name} with claims` : write.name
    let batch = batches.get(name)
    if (!batch) {
      const atOnce = isOrdered || job.claim ? batchesAtOnce : 1
      batch = createBatcher(
        (jobs) => runBatch(write, jobs),
        atOnce,
        (job) => locksOf(write, job),
      )
      batches.set(name, batch)
    }
    return (await batch.add(job)) ?? runInLane(write, job)
  }

  async function runBatch(write: AnyWrite, jobs: Job[]): Promise<(Ran | undefined)[]> {
    const ran = await commit(write, jobs, batchLimits)
    if (!('error' in ran)) return ran
    if (!isRolledBack(ran)) explainWrite(ran.error, ran.mayBeStored)
    return jobs.map(() => undefined)
  }

  async function runInLane(write: AnyWrite, job: Job): Promise<Ran> {
    if (job.claim) await passClaim(job.claim)
    const row = rowOf(write, job)
    let lane = lanes.get(row)
    if (!lane) {
      lane = createBatcher((jobs) => runLane(write, jobs), 1)
      lanes.set(row, lane)
    }
    try {
      const ran = await lane.add(job)
      if ('error' in ran && ran.error instanceof ClaimHeld) throw keyInUse()
      if ('error' in ran) explainWrite(ran.error, ran.mayBeStored)
      return ran
    } finally {
      if (lane.pending() === 0) lanes.delete(row)
    }
  }

  /**
   * Waits while a concurrent transaction holds a claim, in a transaction that locks no row. Throws
   * `idempotency_key_in_use`.
   */
  async function passClaim(claim: IdempotencyClaim): Promise<void> {
    const isHeldNow = await limiter.run(() => isHeld(claim, claimWaitMaxMs))
    // With too many waiting, the limiter refuses: the claim then counts as held.
    if (isHeldNow && (await waits.run(() => isHeld(claim)).catch(() => true))) throw keyInUse()
  }

  async function isHeld(claim: IdempotencyClaim, lockMaxMs?: number): Promise<boolean> {
    const { error } = await runOnce(pool, lockMaxMs, async (tx) => {
      await insertResults(tx, [resultOf(claim, null)])
      throw new ClaimConflict()
    })
    return error instanceof ClaimHeld
  }

  /** Long waits for a locked row are limited apart, so that they do not delay jobs of other rows. */
  async function runLane(write: AnyWrite, jobs: Job[]): Promise<(Ran | Failed)[]> {
    const ran = await limiter.run(() =>
      runTogether(write, jobs, { ...laneLimits, lockMaxMs: rowWaitMaxMs }),
    )
    const isLocked = ran.every((one) => 'error' in one && isRowLocked(one.error))
    return isLocked ? waits.run(() => runTogether(write, jobs, laneLimits)) : ran
  }

  /** Runs jobs of one row: together, or each alone where that fails. */
  async function runTogether(
    write: AnyWrite,
    jobs: Job[],
    limits: Limits,
  ): Promise<(Ran | Failed)[]> {
    const ran = await commit(write, jobs, limits)
    if (!('error' in ran)) return ran
    if (jobs.length === 1 || isRowLocked(ran.error) || !isRolledBack(ran)) {
      return jobs.map(() => ran)
    }
    const each: (Ran | Failed)[] = []
    for (const job of jobs) each.push(...(await runTogether(write, [job], limits)))
    return each
  }

  async function commit(
    write: AnyWrite,
    jobs: readonly Job[],
    { lockMaxMs, attemptsMax, presumesNew = false }: Limits,
  ): Promise<Ran[] | Failed> {
    const sentMs = performance.now()
    const mayBeNew = jobs.every(({ claim }) => !claim?.obstacle)
    for (let attempt = 1; ; attempt++) {
      let beganMs = sentMs
      let endedMs = sentMs
      const done = await runOnce(pool, lockMaxMs, async (tx) => {
        beganMs = performance.now()
        const results = await runWrite(write, tx, jobs, {
          log,
          presumesNew: presumesNew && mayBeNew && beganMs >= lookedUpUntilMs,
        })
        endedMs = performance.now()
        return results
      })
      if (!('error' in done)) {
        const commitMs = performance.now() - endedMs
        const commit = { inputs: jobs.length, statementsMs: endedMs - beganMs, commitMs }
        const { ran, changed } = done
        await reportCommitted(jobs, { commit, changed, beganMs }, { sentMs, pending: running.size })
        return ran
      }
      const { error } = done
      // With several jobs it is unknown which one was refused.
      if (error instanceof Refusal && jobs.length === 1) {
        return [{ refusal: error }]
      }
      const isInterfered = failureOf(error) === 'retry' || error instanceof ClaimConflict
      if (!isInterfered || attempt === attemptsMax) return done
      lookedUpUntilMs = performance.now() + lookUpMs
      await sleep(2 ** attempt)
    }
  }

  return {
    run(write: AnyWrite, job: Job): Promise<Replayable<unknown>> {
      const result = write.isLong ? longWrites.run(() => run(write, job)) : run(write, job)
      running.add(result)
      const end = () => running.delete(result)
      result.then(end, end)
      return result
    },
    /** The inputs without an outcome. */
    queue(): Queue {
      const batchers = [...batches.values(), ...lanes.values()]
      const { oldestMs } = joinQueues(batchers.map(({ queue }) => queue()))
      return { length: running.size, oldestMs }
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

/** What a job locks; itself where its write names no row. */
function rowOf({ name, rowOf }: AnyWrite, job: Job): unknown {
  return rowOf ? `${name} ${rowOf(job.input)}` : job
}

/** The row and the claim of a job: batches in flight share neither. */
function locksOf({ rowOf }: AnyWrite, { input, claim }: Job): string[] {
  return [
    ...(rowOf ? [`${rowOf(input)}`] : []),
    ...(claim ? [`claim ${formatClaimId(claim)}`] : []),
  ]
}

async function runOnce<T>(
  pool: Pool,
  lockMaxMs: number | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | Failed> {
  let mayBeStored = false
  try {
    return await pool.run('writes', async (sql) => {
      const tx = transactionOn(sql, lockMaxMs)
      try {
        const result = await work(tx)
        await tx.commit()
        return result
      } catch (error) {
        mayBeStored = tx.state === 'committing' || error instanceof UnconfirmedCommit
        // A failed rollback replaces the error, so that the connection is not reused.
        if (connectionAfter(error) === 'good') await tx.rollback()
        throw error
      }
    })
  } catch (error) {
    return { error, mayBeStored }
  }
}

function isRowLocked(error: unknown): boolean {
  return error instanceof LockTimeout && !(error instanceof ClaimHeld)
}

/** Whether nothing is stored and a repetition may succeed, at least for some jobs of a batch. */
function isRolledBack({ error, mayBeStored }: Failed): boolean {
  if (error instanceof Unavailable) return false
  const failure = failureOf(error)
  if (failure === 'retry') return true
  return mayBeStored ? isDataError(error) : failure === 'defect' || error instanceof LockTimeout
}
