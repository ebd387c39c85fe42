import { existsSync } from 'node:fs'
import { type Batcher, createBatcher } from '../batching/batcher.ts'
import { createSharedReads } from '../batching/shared-reads.ts'
import { createSharedScans } from '../batching/shared-scans.ts'
import type { Db, IdempotencyClaim, Replayable, Write } from '../db.ts'
import { instantMs, scanMaxMs } from '../deadline.ts'
import { Refusal, Unavailable } from '../errors.ts'
import { requireSchema } from '../require-schema.ts'
import { type Storage, tablesFrom } from '../storage.ts'
import { unavailable } from '../unavailable.ts'
import { commitBatch, type Job, type Outcome } from './commit.ts'
import { type Connection, checkLibrary, connect, inMemory } from './connection.ts'
import { failureOf, isDamage } from './failures.ts'
import { type Lock, refuseOpenElsewhere, takeServingLock } from './lock.ts'
import { migrate, pendingFor, refuseUntouched, requireSchemaIn, startIds } from './migrate.ts'
import { explainOpening, prepareFile } from './prepare.ts'
import { readApart } from './read-apart.ts'
import { runScan, type ScanJob } from './scanner.ts'
import { connectAgain, identifyDatabase } from './served-files.ts'
import { createSnapshots } from './snapshot.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'
import { type BatchResult, completeCheckpoint, type WriterStart } from './writer.ts'

/** A read ends in the turn in which it starts, so runs never overlap. */
const readsAtOnce = Number.POSITIVE_INFINITY
/** No limit: the writer commits in one transaction all batches that arrived during the last commit. */
const batchesAtOnce = Number.POSITIVE_INFINITY
/** One worker runs all scans, one of each kind at a time, so that a search waits for one count at most. */
const scansAtOnce = 1

/** `storageUrl` is the module that exports `storage`, for the workers. */
type SqliteOptions = {
  path: string
  storage: Storage
  storageUrl: string
  /** For commands: no scan timeouts. */
  isPatient?: boolean
  /** Whether a database that a transfer has marked may be read. */
  admitsMarked?: boolean | undefined
  /** The first id of each table but `keys`, unless higher ids were assigned. */
  firstId?: bigint | undefined
  /** Called before an empty store is created, with the other stores in its folder. */
  onCreate?: ((others: readonly string[]) => void) | undefined
  /** Called with warnings for the operator. */
  warn(sentence: string): void
  /** Called once when writing has failed permanently; the process should exit. */
  onLost(reason: string): void
}

/**
 * Opens a database to serve it, exclusively. Writes run in a worker. A log that an unclean exit left is checkpointed
 * before the first write. Throws OpenError.
 */
export async function openServedSqlite(options: SqliteOptions): Promise<Db> {
  const path = prepareFile(options.path)
  let lock: Lock | undefined
  let reader: Connection | undefined
  try {
    checkLibrary()
    lock = takeServingLock(path)
    refuseUntouched(path)
    refuseOpenElsewhere(path, lock)
    reader = connect(path, 'create')
    await migrate(reader, path, options)
    if (options.firstId !== undefined)
      await startIds(reader, tablesFrom(options.storage), options.firstId)
    const obstacle = emptyLog(reader)
    if (obstacle) options.warn(`${path} is served read-only: ${obstacle}`)
    const isBehind = obstacle !== undefined
    return await serve(options, reader, lock, { files: identifyDatabase(path), isBehind })
  } catch (error) {
    reader?.close()
    lock?.release()
    throw explainOpening(path, error)
  }
}

/** Why the log of an earlier process cannot be checkpointed now. */
const obstacles = {
  full: 'the disk is full, and the log that an earlier process left has to be copied into the database first. Writes get 503 until there is room.',
  busy: 'another process reads it, and the log that an earlier process left has to be copied into the database first. Writes get 503 until it has been read.',
}

/** Checkpoints the log of an earlier process. Returns why that is impossible now; reads work without it. */
function emptyLog(connection: Connection): string | undefined {
  try {
    completeCheckpoint(connection)
    return undefined
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'full' || failure === 'busy') return obstacles[failure]
    throw error
  }
}

/**
 * Opens a database beside its serving process, or in memory: on this thread, with one connection. Migrates only a
 * database that is not served. Throws OpenError.
 */
export async function openInlineSqlite(options: SqliteOptions): Promise<Db> {
  const path = options.path === inMemory ? inMemory : prepareFile(options.path)
  let connection: Connection | undefined
  try {
    checkLibrary()
    if (path !== inMemory) refuseUntouched(path)
    connection = connect(path, 'create')
    if (path === inMemory) {
      await migrate(connection, path, { storage: options.storage })
      if (options.firstId !== undefined)
        await startIds(connection, tablesFrom(options.storage), options.firstId)
    } else if (pendingFor(connection, path).length > 0) {
      await migrateUnserved(connection, path, options)
    }
    return inline(connection, options)
  } catch (error) {
    connection?.close()
    throw explainOpening(path, error)
  }
}

/**
 * Opens a database as `openInlineSqlite` does, without changing it. Throws OpenError where there is none or a migration
 * is pending.
 */
export async function openExistingSqlite(options: SqliteOptions): Promise<Db> {
  if (!existsSync(options.path)) requireSchema(options.path, { tables: [], pending: [] }, [])
  const path = prepareFile(options.path)
  let connection: Connection | undefined
  try {
    checkLibrary()
    const check = (found: Connection) => requireSchemaIn(found, path, options)
    refuseUntouched(path, check)
    connection = connect(path)
    check(connection)
    return inline(connection, options)
  } catch (error) {
    connection?.close()
    throw explainOpening(path, error)
  }
}

async function migrateUnserved(connection: Connection, path: string, options: SqliteOptions) {
  const lock = takeServingLock(path)
  try {
    await migrate(connection, path, options)
  } finally {
    lock.release()
  }
}

async function serve(
  options: SqliteOptions,
  firstReader: Connection,
  lock: Lock,
  start: WriterStart,
): Promise<Db> {
  const { storageUrl } = options
  const onLost = once(options.onLost)
  let reader: Connection | undefined = firstReader
  let scanWorker: Promise<WorkerClient> | undefined
  const writeWorker = await startWorker({ task: 'write', storageUrl, ...start }, (error) =>
    onLost(error.message),
  )

  function giveUp(connection: Connection | undefined) {
    if (connection === undefined || connection !== reader) return
    reader = undefined
    connection.close()
  }

  const inSnapshot = createSnapshots(giveUp)
  const reads = createSharedReads(async (query, inputs) => {
    let connection: Connection | undefined
    try {
      reader ??= connectAgain(start.files)
      const current = reader
      connection = current
      const read = () => query.run(current, inputs)
      return await (inputs.length > 1 ? inSnapshot(current, read) : read())
    } catch (error) {
      if (connection && isDamage(error)) return await readApart(connection, query, inputs)
      // Another read of this turn may have met the failure first and dropped the connection.
      const isGivenUp = connection !== undefined && connection !== reader
      if (failureOf(error) === undefined && !isGivenUp) throw error
      giveUp(connection)
      throw unavailable.reading(error)
    }
  }, readsAtOnce)
  const writes = createBatcher(async (jobs: Job[]) => {
    const result = await writeWorker.ask<BatchResult>(jobs)
    if ('outcomes' in result) return result.outcomes
    if (result.result === 'lost') onLost(result.reason)
    throw result.result === 'refused'
      ? unavailable.storing(result.reason)
      : unavailable.unknown(result.reason)
  }, batchesAtOnce)

  return assemble(reads, writes, {
    async scan(job) {
      scanWorker ??= startWorker({ task: 'scan', storageUrl, ...start }, () => {
        scanWorker = undefined
      })
      try {
        return await (await scanWorker).ask<Outcome>(job)
      } catch (error) {
        scanWorker = undefined
        throw unavailable.reading(error)
      }
    },
    close: async () => {
      await Promise.all([writeWorker.close(), scanWorker?.then((thread) => thread.close())])
      reader?.close()
      lock.release()
    },
  })
}

function inline(connection: Connection, { storage, path, isPatient }: SqliteOptions): Db {
  const known = new Map(storage.writes.map((write) => [write.name, write]))
  const scans = new Map(storage.scans.map((entry) => [entry.name, entry]))
  const exclusively = createMutex()
  const explain = (error: unknown): never => {
    throw failureOf(error) ? explainOpening(path, error) : error
  }
  // A transaction awaits only resolved values, so it ends before the next turn of the event loop, in which shared reads
  // run: they never see an open transaction.
  const reads = createSharedReads(
    (query, inputs) => query.run(connection, inputs).catch(explain),
    readsAtOnce,
  )
  const writes = createBatcher(
    (jobs: Job[]) => exclusively(() => commitBatch(connection, known, jobs, path)).catch(explain),
    1,
  )
  return assemble(reads, writes, {
    scan: (job) =>
      exclusively(() =>
        runScan(
          connection,
          scans,
          isPatient ? { ...job, deadlineMs: Number.POSITIVE_INFINITY } : job,
        ),
      ).catch(explain),
    close: async () => connection.close(),
  })
}

/** A mutex: on one connection, scans and transactions run one after the other. */
function createMutex() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

function once(tell: (reason: string) => void): (reason: string) => void {
  let isTold = false
  return (reason) => {
    if (!isTold) tell(reason)
    isTold = true
  }
}

function assemble(
  reads: ReturnType<typeof createSharedReads>,
  writes: Batcher<Job, Outcome>,
  { scan, close }: { scan(job: ScanJob): Promise<Outcome>; close(): Promise<void> },
): Db {
  const scans = createSharedScans(
    async ({ name }, input) =>
      settle(await scan({ name, input, deadlineMs: instantMs() + scanMaxMs })),
    scansAtOnce,
  )
  return {
    read: reads.read,
    scan: scans.scan,
    async write<I, V>({ name }: Write<I, V>, input: I) {
      return settle(await writes.add({ name, input })) as V
    },
    async writeIdempotent<I, V>({ name }: Write<I, V>, input: I, claim: IdempotencyClaim) {
      return settle(await writes.add({ name, input, claim })) as Replayable<V>
    },
    async close() {
      await writes.idle()
      await close()
    },
  }
}

function settle(outcome: Outcome): unknown {
  if ('value' in outcome) return outcome.value
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable)
  if ('refusal' in outcome) throw new Refusal(outcome.refusal.code, outcome.refusal.message)
  throw new Error(`A statement failed: ${outcome.defect}`)
}
