import { performance, timers } from '../../timers.ts'
import { overloaded } from './limiter.ts'
import { type Queue, queueSince } from './queue.ts'

/** With this many pending jobs, further jobs are refused. */
const pendingMax = 20_000
/** With a batch that has run this long, further jobs are refused, and so are those that have waited this long. */
const waitMaxMs = 10_000
const checkEveryMs = 1_000
const batchMax = 2_000
/** A batch of this size is flushed immediately, while further requests are parsed. */
const flushSize = 64
/**
 * Commit cost barely grows with batch size, so a batch lingers for more jobs this long, while every turn adds some.
 */
const lingerMaxMs = 3

type Waiting<Job, Result> = {
  job: Job
  sinceMs: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export type Batcher<Job, Result> = {
  add(job: Job): Promise<Result>
  /** The number of jobs that wait or run. */
  pending(): number
  /** The jobs that wait or run. */
  queue(): Queue
  /** Resolves when no job waits or runs. */
  idle(): Promise<void>
}

/**
 * Collects jobs into batches. A batch is flushed at the end of the first turn of the event loop that added no job, or
 * that ends `lingerMaxMs` after the first job, or when it has `flushSize` jobs. While `runsMax` batches run, jobs wait
 * for the next; so do jobs that have a lock in common with a running batch. `run` returns a result for each job of a
 * batch, in order, or rejects them all.
 */
export function createBatcher<Job, Result>(
  run: (jobs: Job[]) => Promise<Result[]>,
  runsMax: number,
  locksOf?: (job: Job) => readonly string[],
): Batcher<Job, Result> {
  const waiting: Waiting<Job, Result>[] = []
  /** The locks of running batches, and the jobs that wait for each. */
  const locked = new Map<string, Waiting<Job, Result>[]>()
  /** The running batches: when each began, and when its first job came. */
  const runs = new Set<{ beganMs: number; sinceMs: number }>()
  let pending = 0
  let isScheduled = false
  let isChecking = false
  let waitingBefore = 0
  let idle: PromiseWithResolvers<void> | undefined

  function enqueue(one: Waiting<Job, Result>) {
    checkLater()
    const lock = locksOf?.(one.job).find((name) => locked.has(name))
    if (lock !== undefined) return locked.get(lock)?.push(one)
    return waiting.push(one)
  }

  function schedule() {
    if (isScheduled || runs.size >= runsMax || waiting.length === 0) return
    isScheduled = true
    timers.setImmediate(runScheduled)
  }

  function runScheduled() {
    isScheduled = false
    if (runs.size >= runsMax || waiting.length === 0) return
    if (isLingering()) schedule()
    else void runNext()
  }

  function isLingering(): boolean {
    const hasGrown = waiting.length > waitingBefore
    waitingBefore = waiting.length
    const waitedMs = performance.now() - (waiting[0]?.sinceMs ?? 0)
    const isWorthIt = waiting.length < flushSize && waitedMs < lingerMaxMs
    return hasGrown && isWorthIt
  }

  async function runNext() {
    const batch = waiting.splice(0, batchMax)
    const beganMs = performance.now()
    const current = { beganMs, sinceMs: batch[0]?.sinceMs ?? beganMs }
    const locks = new Set(locksOf && batch.flatMap(({ job }) => locksOf(job)))
    for (const lock of locks) locked.set(lock, [])
    for (const left of waiting.splice(0)) enqueue(left)
    runs.add(current)
    waitingBefore = 0
    schedule()
    try {
      const results = await run(batch.map(({ job }) => job))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    const released = [...locks].flatMap((lock) => locked.get(lock) ?? [])
    for (const lock of locks) locked.delete(lock)
    for (const one of released) enqueue(one)
    runs.delete(current)
    pending -= batch.length
    if (pending === 0) idle?.resolve()
    schedule()
  }

  function isStuck(): boolean {
    const [oldest] = runs
    return oldest !== undefined && performance.now() - oldest.beganMs > waitMaxMs
  }

  function checkLater() {
    if (!isChecking) timers.setTimeout(refuseLate, checkEveryMs).unref()
    isChecking = true
  }

  /** Refuses the jobs that have waited too long; nothing of them was stored. */
  function refuseLate() {
    isChecking = false
    const lateMs = performance.now() - waitMaxMs
    for (const line of [waiting, ...locked.values()]) {
      const late = line.filter(({ sinceMs }) => sinceMs <= lateMs)
      if (late.length > 0)
        line.splice(0, line.length, ...line.filter(({ sinceMs }) => sinceMs > lateMs))
      for (const { reject } of late) reject(overloaded())
      pending -= late.length
      if (line.length > 0) checkLater()
    }
    if (pending === 0) idle?.resolve()
  }

  return {
    add(job) {
      if (pending >= pendingMax || isStuck()) return Promise.reject(overloaded())
      pending += 1
      return new Promise((resolve, reject) => {
        enqueue({ job, sinceMs: performance.now(), resolve, reject })
        if (waiting.length >= flushSize && runs.size < runsMax) void runNext()
        else schedule()
      })
    },
    pending: () => pending,
    queue() {
      const [oldest] = runs
      return queueSince(pending, (oldest ?? waiting[0])?.sinceMs)
    },
    async idle() {
      while (pending > 0) {
        idle ??= Promise.withResolvers()
        await idle.promise
        idle = undefined
      }
    },
  }
}
