import type pg from 'pg'
import { createSharedReads } from '../batching/shared-reads.ts'
import { createSharedScans } from '../batching/shared-scans.ts'
import type { Db, IdempotencyClaim, Origin, Replayable, Scan, Sql, Write } from '../db.ts'
import { checkTimeUntil, deadlineOf } from '../deadline.ts'
import { OpenError } from '../errors.ts'
import type { Sizes } from '../opening/load.ts'
import type { CommandOptions, ServeOptions } from '../opening/open-options.ts'
import { startIds } from '../schema/last-ids.ts'
import { enforceSchema } from '../schema/schema-difference.ts'
import type { Storage } from '../storage.ts'
import { type PostgresAddress, readAddress } from './address.ts'
import { compareSchema } from './compare-schema.ts'
import { createExplanations } from './explain-failures.ts'
import { rightIsMissing, stateOf } from './failures.ts'
import { connectToPrimary } from './find-primary.ts'
import { enforceSettings, findSettingIssues, migrate, requireSchemaIn } from './migrate.ts'
import { Pool, type Work } from './pool.ts'
import type { PrimaryOptions } from './primary.ts'
import { readReplication } from './replication.ts'
import { begin, type PostgresSql, sqlOn } from './sql.ts'
import { joinStore, refuseMarked } from './store-lock.ts'
import { createWrites } from './writes.ts'

/** Concurrent runs of each query; reads that arrive meanwhile share the next run. */
const readsAtOnce = 3
/** Of each scan. */
const scansAtOnce = 2

type PostgresOptions = Omit<ServeOptions, 'storageUrl' | 'onLost'> &
  Pick<CommandOptions, 'outdated'> &
  Pick<PrimaryOptions, 'name' | 'isPatient'> & {
    /** `postgres://…`, several hosts included. */
    text: string
  }

/** Opens a database that several processes may serve. Throws OpenError. */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const address = readAddress(options.text)
  const { searchPath, ...found } = await prepare(address, options)
  const pool = new Pool({ ...options, address, searchPath }, found)
  return createDb(pool, options, address.hosts.length)
}

/**
 * Checks the server, and checks or migrates its schema, on a session without timeouts, which it ends. Returns where that
 * was, and the search path that leads to the store.
 */
async function prepare(address: PostgresAddress, options: PostgresOptions) {
  const { name, firstId, storage, outdated, isHeld, admitsMarked, warn } = options
  const { client, ...start } = await connectToPrimary(address)
  try {
    enforceSettings(await findSettingIssues(client), name, warn)
    if (!isHeld) await joinStore(client, name)
    if (!admitsMarked) await refuseMarked(client, name)
    if (outdated === 'refused') await requireSchemaIn(client, name, storage.tables)
    else await migrate(client, name, options)
    await checkSchema(client, options)
    if (firstId !== undefined) await startIdsOn(client, storage, firstId)
    return start
  } catch (error) {
    if (error instanceof OpenError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new OpenError(
      stateOf(error) === rightIsMissing ? 'noPermission' : 'ioError',
      `${name} cannot be prepared: ${reason}.`,
      error,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function startIdsOn(client: pg.ClientBase, storage: Storage, firstId: bigint): Promise<void> {
  const sql = sqlOn(client)
  await sql.command(begin)
  await startIds(sql, storage, firstId)
  await sql.command('commit')
}

/** Refuses a store whose schema is incomplete or changed. Triggers of others are a warning; commands get only that. */
async function checkSchema(
  client: pg.ClientBase,
  { name, isPatient, outdated, enforcesSchema, warn }: PostgresOptions,
): Promise<void> {
  if (isPatient && outdated === 'upgraded') return
  const differences = await compareSchema(sqlOn(client))
  const enforced =
    isPatient && !enforcesSchema
      ? differences.filter(({ kind }) => kind === 'foreign')
      : differences
  enforceSchema(enforced, { name, engine: 'postgres', warn })
}

function createDb(pool: Pool, options: PostgresOptions, hosts: number): Db {
  const { isPatient, storage, warn, onCommit } = options
  const { explainRead, explainWrite } = createExplanations(options)
  const read = <T>(work: Work<T>, use: 'reads' | 'scans' = 'reads') =>
    pool.run(use, work).catch(explainRead)
  const reads = createSharedReads(
    (query, inputs) => read((sql) => query.run(sql, inputs)),
    readsAtOnce,
  )

  function runScan<I, O>(scan: Scan<I, O>, input: I): Promise<O> {
    const checkTime = checkTimeUntil(isPatient ? Number.POSITIVE_INFINITY : deadlineOf(scan))
    return read((sql) => {
      const run = () => scan.run(sql, input, checkTime)
      return scan.isSnapshot ? inSnapshot(sql, run) : run()
    }, 'scans')
  }

  const scans = createSharedScans(runScan, scansAtOnce)
  const writes = createWrites(pool, explainWrite, { onCommit, warn, log: storage.log })

  return {
    read: reads.read,
    scan: scans.scan,
    async write<I, V>(write: Write<I, V>, input: I, origin?: Origin) {
      return (await writes.run(write as AnyWrite, { input, origin })).value as V
    },
    async writeIdempotent<I, V>(
      write: Write<I, V>,
      input: I,
      claim: IdempotencyClaim,
      origin?: Origin,
    ) {
      return (await writes.run(write as AnyWrite, { input, claim, origin })) as Replayable<V>
    },
    load: () => ({ writes: writes.queue(), scans: scans.queue(), pool: pool.load() }),
    sizes: () => read(databaseSize),
    replication: () =>
      read(async (sql, primary) => ({ primary, ...(await readReplication(sql, hosts)) })),
    async close() {
      await writes.idle()
      await pool.close()
    },
  }
}

async function inSnapshot<T>(sql: PostgresSql, work: () => Promise<T>): Promise<T> {
  await sql.command('begin isolation level repeatable read read only')
  try {
    return await work()
  } finally {
    await sql.command('rollback')
  }
}

/** What the server knows of its disk is not for every role. */
async function databaseSize(sql: Sql): Promise<Sizes> {
  const [row] = await sql.all<[bigint]>('select pg_database_size(current_database())')
  return { database: Number(row?.[0]) }
}

type AnyWrite = Write<unknown, unknown>
