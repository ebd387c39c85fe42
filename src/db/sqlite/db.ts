import { existsSync } from 'node:fs'
import { type Batcher, createBatcher } from '../batching/batcher.ts'
import { createSharedReads } from '../batching/shared-reads.ts'
import { createSharedScans } from '../batching/shared-scans.ts'
import type { Db, IdempotencyClaim, Replayable, Write } from '../db.ts'
import { instantMs, scanMaxMs } from '../deadline.ts'
import { Refusal, Unavailable } from '../errors.ts'
import { requireSchema } from '../require-schema.ts'
import { type Backfill, type Storage, tablesFrom } from '../storage.ts'
import { unavailable } from '../unavailable.ts'
import { type Answer, commitBatch, type Job } from './commit.ts'
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

/** A read is over in the turn in which it starts, so there is nothing to wait for. */
const readsAtOnce = Number.POSITIVE_INFINITY
/** The thread that writes commits together what has come to it while it committed what came before. */
const batchesAtOnce = Number.POSITIVE_INFINITY
/** One thread runs all scans: one of each kind comes to it at a time, so that a search waits for one count and not for many. */
const scansAtOnce = 1

/** `storageUrl` names the module that exports `storage`, for the threads. */
type SqliteOptions = {
  path: string
  storage: Storage
  storageUrl: string
  /** For a command, whose scans may take as long as they need. */
  isPatient?: boolean
  /** The first id that each table but `keys` gives out, where it has given out none beyond. */
  firstId?: bigint | undefined
  /** Told of what an operator should know of a store that is served all the same. */
  warn(sentence: string): void
  /** Told once, when writing has failed for good and the process should end. */
  onLost(reason: string): void
}

/**
 * Opens a database to serve it: no other process does so meanwhile, writes travel on a thread of their
 * own, and what an unclean end left in the log is in the database before anything is written. Throws OpenError.
 */
export async function openServedSqlite(options: SqliteOptions): Promise<Db> {
  const path = prepareFile(options.path)
  let lock: Lock | undefined
  let reader: Connection | undefined
  try {
    checkLibrary()
    lock = takeServingLock(path)
    refuseUntouched(path)
    refuseOpenElsewhere(path)
    reader = connect(path, 'create')
    await migrate(reader, path, options.storage.backfills)
    if (options.firstId !== undefined)
      await startIds(reader, tablesFrom(options.storage), options.firstId)
    const obstacle = emptyLog(reader)
    if (obstacle) options.warn(`${path} is served for reading alone: ${obstacle}`)
    const isBehind = obstacle !== undefined
    return await serve(options, reader, lock, { files: identifyDatabase(path), isBehind })
  } catch (error) {
    reader?.close()
    lock?.release()
    throw explainOpening(path, error)
  }
}

/** Why the log that an earlier process left cannot be copied into the database now. */
const obstacles = {
  full: 'the disk is full, and the log that an earlier process left has to be copied into the database first. Writes get 503 until there is room.',
  busy: 'another process reads it, and the log that an earlier process left has to be copied into the database first. Writes get 503 until it has been read.',
}

/** Copies what an earlier process left in the log into the database. Reads can do without: returns why it cannot be done now. */
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
 * Opens a database beside its serving process, or one in memory: all on this thread, one connection.
 * Migrates only what nobody serves. Throws OpenError.
 */
export async function openInlineSqlite(options: SqliteOptions): Promise<Db> {
  const path = options.path === inMemory ? inMemory : prepareFile(options.path)
  let connection: Connection | undefined
  try {
    checkLibrary()
    if (path !== inMemory) refuseUntouched(path)
    connection = connect(path, 'create')
    if (path === inMemory) {
      await migrate(connection, path, options.storage.backfills)
      if (options.firstId !== undefined)
        await startIds(connection, tablesFrom(options.storage), options.firstId)
    } else if (pendingFor(connection, path).length > 0) {
      await migrateUnserved(connection, path, options.storage.backfills)
    }
    return inline(connection, options)
  } catch (error) {
    connection?.close()
    throw explainOpening(path, error)
  }
}

/**
 * Opens a database as `openInlineSqlite` does, and as it is: throws OpenError, and has changed nothing, where there is
 * none or it would have to be migrated.
 */
export async function openExistingSqlite(options: SqliteOptions): Promise<Db> {
  if (!existsSync(options.path)) requireSchema(options.path, { tables: [], pending: [] }, [])
  const path = prepareFile(options.path)
  let connection: Connection | undefined
  try {
    checkLibrary()
    const check = (found: Connection) => requireSchemaIn(found, path, options.storage.tables)
    refuseUntouched(path, check)
    connection = connect(path)
    check(connection)
    return inline(connection, options)
  } catch (error) {
    connection?.close()
    throw explainOpening(path, error)
  }
}

async function migrateUnserved(
  connection: Connection,
  path: string,
  backfills: readonly Backfill[],
) {
  const lock = takeServingLock(path)
  try {
    await migrate(connection, path, backfills)
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
      // Another read of this turn may have met the failure first, and given the connection up.
      const isGivenUp = connection !== undefined && connection !== reader
      if (failureOf(error) === undefined && !isGivenUp) throw error
      giveUp(connection)
      throw unavailable.reading(error)
    }
  }, readsAtOnce)
  const writes = createBatcher(async (jobs: Job[]) => {
    const result = await writeWorker.ask<BatchResult>(jobs)
    if ('answers' in result) return result.answers
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
        return await (await scanWorker).ask<Answer>(job)
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
  // A transaction awaits only values that are there, so it is over before the next turn of the event
  // loop, in which the shared reads run: they never see the inside of one.
  const reads = createSharedReads(
    (query, inputs) => query.run(connection, inputs).catch(explain),
    readsAtOnce,
  )
  const writes = createBatcher(
    (jobs: Job[]) => exclusively(() => commitBatch(connection, known, jobs)).catch(explain),
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

/** On one connection a scan and a transaction must not mix: each waits for the one before. */
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
  writes: Batcher<Job, Answer>,
  { scan, close }: { scan(job: ScanJob): Promise<Answer>; close(): Promise<void> },
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

function settle(answer: Answer): unknown {
  if ('value' in answer) return answer.value
  if ('unavailable' in answer) throw new Unavailable(answer.unavailable)
  if ('refusal' in answer) throw new Refusal(answer.refusal.code, answer.refusal.message)
  throw new Error(`A statement failed: ${answer.defect}`)
}
