import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Batcher, createBatcher } from '../batching/batcher.ts'
import { createLimiter } from '../batching/limiter.ts'
import { createSharedReads } from '../batching/shared-reads.ts'
import { createSharedScans } from '../batching/shared-scans.ts'
import type { Batch, Db, IdempotencyClaim, Query, Replayable, Transaction, Write } from '../db.ts'
import { checkTimeUntil, instantMs, scanMaxMs } from '../deadline.ts'
import { enforceSchema } from '../enforce-schema.ts'
import { OpenError } from '../errors.ts'
import { idempotent } from '../idempotency.ts'
import { runMany } from '../run-one.ts'
import { type Storage, tablesFrom } from '../storage.ts'
import type { PostgresAddress } from './address.ts'
import { compareSchema } from './compare-schema.ts'
import { connectionAfter, failureOf } from './failures.ts'
import {
  enforceSettings,
  findSettingIssues,
  migrate,
  requireSchemaIn,
  startIds,
} from './migrate.ts'
import { openPool, type Pool, type PoolOptions } from './pool.ts'
import { connectToPrimary } from './primary.ts'
import { readAddress } from './read-address.ts'
import { type PostgresSql, sqlOn } from './sql.ts'
import { joinStore, refuseMarked } from './store-lock.ts'

/** Concurrent runs of one query; reads that arrive meanwhile share the next run. */
const readsAtOnce = 3
/** One at a time: the next batch takes all that arrives meanwhile. */
const batchesAtOnce = 1
/** Limits that leave connections to other work. */
const aloneAtOnce = 8
const scansAtOnce = 2
/** How often a transaction is run after serialization failures, deadlocks and unique violations. */
const attemptsMax = 6

type PostgresOptions = PoolOptions & {
  /** `postgres://…`, several hosts included. */
  text: string
  firstId?: bigint | undefined
  storage: Storage
  /** Whether an outdated schema is upgraded or refused. */
  outdated: 'upgraded' | 'refused'
  /** Whether no store is created. */
  mustExist?: boolean | undefined
  /** Called before an empty store is created, with the others that may have been meant. */
  onCreate?: ((others: readonly string[]) => void) | undefined
  warn(sentence: string): void
}

/** Opens a database that several processes may serve. Throws OpenError. */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const address = readAddress(options.text)
  const searchPath = await prepare(address, options)
  return createDb(openPool(address, options, searchPath), options)
}

/**
 * Checks the server, and checks or migrates its schema, on a connection without timeouts. Returns the search path that leads
 * to the store.
 */
async function prepare(address: PostgresAddress, options: PostgresOptions): Promise<string> {
  const { name, firstId, storage, outdated, isHeld, admitsMarked, warn } = options
  const client = await connectToPrimary(address)
  try {
    enforceSettings(await findSettingIssues(client), name, warn)
    if (!isHeld) await joinStore(client, name)
    if (!admitsMarked) await refuseMarked(client, name)
    if (outdated === 'refused') await requireSchemaIn(client, name, storage.tables)
    else await migrate(client, name, options)
    await checkSchema(client, options)
    if (firstId !== undefined) await startIds(client, tablesFrom(storage), firstId)
    const { rows } = await client.query<{ path: string }>(
      "select current_setting('search_path') as path",
    )
    return rows[0]?.path ?? ''
  } catch (error) {
    if (error instanceof OpenError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const isRight = (error as { code?: string }).code === '42501'
    throw new OpenError(
      isRight ? 'noPermission' : 'ioError',
      `${name} cannot be prepared: ${reason}.`,
      error,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Refuses a store whose schema is incomplete or changed. Triggers of others are a warning; commands get only that. */
async function checkSchema(
  client: pg.ClientBase,
  { name, isPatient, outdated, warn }: PostgresOptions,
): Promise<void> {
  if (isPatient && outdated === 'upgraded') return
  const differences = await compareSchema(sqlOn(client))
  const told = isPatient ? differences.filter(({ kind }) => kind === 'foreign') : differences
  enforceSchema(told, { name, engine: 'postgres', warn })
}

function createDb(pool: Pool, { isPatient }: Pick<PostgresOptions, 'isPatient'>): Db {
  /** Each query has its own lane: keys can be confirmed while pets are locked. */
  const lanes = new Map<unknown, ReturnType<typeof createSharedReads>>()
  const scans = createSharedScans((scan, input) => {
    const deadlineMs = isPatient ? Number.POSITIVE_INFINITY : instantMs() + scanMaxMs
    const checkTime = checkTimeUntil(deadlineMs)
    return pool.withConnection((sql) => scan.run(sql, input, checkTime)).catch(pool.explainRead)
  }, scansAtOnce)
  const alone = createLimiter(aloneAtOnce)
  /** A batcher for each batch; a batch runs as one statement, which commits by itself. */
  const batches = new Map<string, Batcher<unknown, unknown>>()
  const running = new Set<Promise<unknown>>()

  function laneOf(query: unknown) {
    let lane = lanes.get(query)
    if (!lane) {
      lane = createSharedReads(
        (shared, inputs) =>
          pool.withConnection((sql) => shared.run(sql, inputs)).catch(pool.explainRead),
        readsAtOnce,
      )
      lanes.set(query, lane)
    }
    return lane
  }

  function batchesOf(batch: Batch<never, unknown>) {
    let found = batches.get(batch.name)
    if (!found) {
      found = createBatcher(
        (inputs: unknown[]) => runBatch(pool, batch as Batch<unknown, unknown>, inputs),
        batchesAtOnce,
      )
      batches.set(batch.name, found)
    }
    return found
  }

  function runLimited<I, V>(transaction: Transaction<I, V>, input: I): Promise<V> {
    const run = alone.run(() => runAlone(pool, transaction, input))
    running.add(run)
    return run.finally(() => running.delete(run))
  }

  return {
    read: <I, O>(query: Query<I, O>, input: I) => laneOf(query).read(query, input),
    scan: scans.scan,
    async write<I, V>(write: Write<I, V>, input: I) {
      const value = 'runMany' in write ? batchesOf(write).add(input) : runLimited(write, input)
      return (await value) as V
    },
    async writeIdempotent<I, V>(write: Write<I, V>, input: I, claim: IdempotencyClaim) {
      return (await runLimited(idempotent(write, claim), input)) as Replayable<V>
    },
    async close() {
      await Promise.all([...batches.values()].map((batch) => batch.idle()))
      await Promise.allSettled(running)
      await pool.close()
    },
  }
}

/** A batch in one database transaction; a single statement is one by itself. */
function runBatch(
  pool: Pool,
  batch: Batch<unknown, unknown>,
  inputs: readonly unknown[],
): Promise<unknown[]> {
  const work = (sql: PostgresSql) => runMany(batch, sql, inputs)
  return batch.isOneStatement
    ? retried(pool, () => pool.withConnection((sql) => sql.confirmed(() => work(sql))))
    : inTransaction(pool, work)
}

/** Runs one input in one database transaction; a refusal rolls it back. */
function runAlone<I, V>(pool: Pool, transaction: Transaction<I, V>, input: I): Promise<V> {
  return inTransaction(pool, (sql) => transaction.run(sql, input))
}

async function inTransaction<T>(pool: Pool, work: (sql: PostgresSql) => Promise<T>): Promise<T> {
  let isCommitAsked = false
  const run = async (sql: PostgresSql) => {
    isCommitAsked = false
    await sql.command('begin isolation level read committed')
    const value = await work(sql)
    isCommitAsked = true
    await sql.command('commit')
    return value
  }
  const runOrUndo = async (sql: PostgresSql) => {
    try {
      return await run(sql)
    } catch (error) {
      // A failed rollback replaces the error, so that the connection is not reused.
      if (connectionAfter(error) === 'good') await sql.command('rollback')
      throw error
    }
  }
  return retried(
    pool,
    () => pool.withConnection(runOrUndo),
    () => isCommitAsked,
  )
}

/** Retries what another transaction interfered with; never what may be stored. */
async function retried<T>(
  { explainWrite }: Pick<Pool, 'explainWrite'>,
  work: () => Promise<T>,
  mayBeStored = () => true,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (failureOf(error) !== 'retry' || attempt === attemptsMax) {
        return explainWrite(error, mayBeStored())
      }
      await sleep(2 ** attempt)
    }
  }
}
