import { Worker } from 'node:worker_threads'
import { type Batcher, createBatcher } from '../../batching/batcher.ts'
import { createLimiter } from '../../batching/limiter.ts'
import type { createSharedReads } from '../../batching/shared-reads.ts'
import { createSharedScans } from '../../batching/shared-scans.ts'
import type { Db, IdempotencyClaim, Origin, Write } from '../../db.ts'
import { deadlineOf, instantMs } from '../../deadline.ts'
import { Refusal, Unavailable, unavailable } from '../../errors.ts'
import type { Sizes } from '../../opening/load.ts'
import type { ServeOptions } from '../../opening/open-options.ts'
import { workerEnvironment } from '../../opening/worker-environment.ts'
import { createCommitReporter, type Job, type Ran } from '../../writes/run-write.ts'
import type { Connection } from '../connection.ts'
import { explainOpening } from '../explain-opening.ts'
import { type NamedJob, packJobs, type Settled } from './commit.ts'
import type { ScanJob, Scanned } from './scanner.ts'
import { fileSizes } from './served-files.ts'
import { createServedReads } from './served-reads.ts'
import type { FromWorker, ToWorker, WorkerInput } from './worker.ts'
import type { BatchResult, WriterStart } from './writer.ts'

/** No limit: the writer commits in one transaction all batches that arrived during the last commit. */
const batchesAtOnce = Number.POSITIVE_INFINITY

/** One worker runs all scans, one of each kind at a time, so that a search waits for one count at most. */
const scansAtOnce = 1

/** Serves a database: reads on this thread, writes and scans in workers. Returns before the writer is open. */
export function serve(
  options: ServeOptions,
  firstReader: Connection,
  release: () => void,
  start: WriterStart,
): Db {
  const { storageUrl } = options
  const onLost = once(options.onLost)
  let scanWorker: WorkerClient | undefined
  const writeWorker = startWorker({ task: 'write', storageUrl, ...start }, (error) => {
    // A writer that never opened is not lost: `ready` rejects.
    writeWorker.opened.then(
      () => onLost(error.message),
      () => undefined,
    )
  })

  const reads = createServedReads(start.files, firstReader)
  const reportCommitted = createCommitReporter(options)
  const writes = createBatcher(async (jobs: NamedJob[]) => {
    const sentMs = instantMs()
    const result = await writeWorker.ask<BatchResult>(packJobs(jobs)).catch(async (error) => {
      await writeWorker.opened
      throw unavailable.unknown(error.message)
    })
    if ('settled' in result) {
      if (result.warning !== undefined) options.warn(result.warning)
      await reportCommitted(jobs, result, { sentMs, pending: writes.pending() })
      return result.settled
    }
    if (result.result === 'lost') onLost(result.reason)
    throw result.result === 'refused'
      ? unavailable.storing(result.reason)
      : unavailable.unknown(result.reason)
  }, batchesAtOnce)

  const startScanner = (onDeath = () => {}) =>
    startWorker({ task: 'scan', storageUrl, ...start }, onDeath)

  const db = assemble(reads, writes, {
    async scan(job) {
      scanWorker ??= startScanner(() => {
        scanWorker = undefined
      })
      try {
        return await scanWorker.ask<Scanned>(job)
      } catch (error) {
        throw unavailable.reading(error)
      }
    },
    async scanSnapshot(job) {
      const worker = startScanner()
      return worker
        .ask<Scanned>(job)
        .catch((error) => Promise.reject(unavailable.reading(error)))
        .finally(worker.close)
    },
    sizes: () => fileSizes(start.files.path),
    close: async () => {
      await Promise.all([writeWorker.close(), scanWorker?.close()])
      reads.close()
      release()
    },
  })
  return { ...db, ready: () => writeWorker.opened }
}

function once(tell: (reason: string) => void): (reason: string) => void {
  let isReported = false
  return (reason) => {
    if (!isReported) tell(reason)
    isReported = true
  }
}

type WorkerClient = {
  /** Resolves once its connection is open. Rejects with OpenError when it cannot be. */
  opened: Promise<void>
  /** Rejects when the worker dies before it responds. */
  ask<A>(work: unknown): Promise<A>
  close(): Promise<void>
}

/** Starts a worker of the database; what is asked of it waits until its connection is open. */
function startWorker(data: WorkerInput, onDeath: (error: Error) => void): WorkerClient {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: data,
    env: workerEnvironment(),
  })
  const asked: PromiseWithResolvers<unknown>[] = []
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let isClosing = false
  let death: Error | undefined

  function die(error: Error) {
    if (death) return
    death = error
    opened.reject(explainOpening(data.files.path, error))
    for (const { reject } of asked.splice(0)) reject(error)
    if (!isClosing) onDeath(error)
  }

  opened.promise.catch(() => undefined)
  worker.once('message', () => opened.resolve())
  worker.on('message', (message: FromWorker) => {
    for (const result of message) asked.shift()?.resolve(result)
  })
  worker.on('error', (error) => die(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => {
    const does = data.task === 'write' ? 'writes to' : 'searches'
    die(new Error(`The thread that ${does} the database stopped unexpectedly.`))
    ended.resolve()
  })

  return {
    opened: opened.promise,
    ask<A>(work: unknown) {
      if (death) return Promise.reject(death)
      const result = Promise.withResolvers<unknown>()
      // Throws where a value cannot be cloned: the worker has no result for it then.
      worker.postMessage({ work } satisfies ToWorker)
      asked.push(result)
      return result.promise as Promise<A>
    },
    close() {
      isClosing = true
      worker.postMessage('close' satisfies ToWorker)
      return ended.promise
    },
  }
}

/** The interface `Db` over reads, writes and scans. */
export function assemble(
  { read }: Pick<ReturnType<typeof createSharedReads>, 'read'>,
  writes: Batcher<NamedJob, Settled>,
  {
    scan,
    scanSnapshot,
    sizes,
    close,
  }: {
    scan(job: ScanJob): Promise<Scanned>
    /** Like `scan`, for a snapshot; may run beside it. */
    scanSnapshot(job: ScanJob): Promise<Scanned>
    sizes(): Promise<Sizes>
    close(): Promise<void>
  },
): Db {
  const scans = createSharedScans(async (one, input) => {
    const job = { name: one.name, input, deadlineMs: deadlineOf(one) }
    return unwrap(await (one.isSnapshot ? scanSnapshot(job) : scan(job))).value
  }, scansAtOnce)
  const longWrites = createLimiter(1)
  const add = <I, V>({ name, isLong }: Write<I, V>, job: Job<I>) => {
    const named = { name, ...job }
    return isLong ? longWrites.run(() => writes.add(named)) : writes.add(named)
  }
  return {
    read,
    scan: scans.scan,
    async write<I, V>(write: Write<I, V>, input: I, origin?: Origin) {
      return unwrap(await add(write, { input, origin })).value as V
    },
    async writeIdempotent<I, V>(
      write: Write<I, V>,
      input: I,
      claim: IdempotencyClaim,
      origin?: Origin,
    ) {
      const ran = unwrap(await add(write, { input, claim, origin }))
      return { value: ran.value as V, isReplayed: ran.isReplayed ?? false, bytes: ran.bytes ?? 0 }
    },
    load: () => ({ writes: writes.queue(), scans: scans.queue() }),
    sizes,
    async close() {
      await writes.idle()
      await close()
    },
  }
}

function unwrap(outcome: Settled | Scanned): Exclude<Ran, { refusal: unknown }> {
  if ('value' in outcome) return outcome
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable)
  if ('unreadable' in outcome) throw unavailable.reading(outcome.unreadable)
  if ('refusal' in outcome) {
    const { code, message, details } = outcome.refusal
    throw new Refusal(code, message, details)
  }
  throw new Error(`A statement failed: ${outcome.defect}`)
}
