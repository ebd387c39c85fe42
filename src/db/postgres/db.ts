import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ServiceError } from '../../errors.ts'
import { ExitError } from '../../exit.ts'
import { checkTimeUntil, instantMs } from '../deadline.ts'
import type { Db, Outcome, Transaction } from '../seam.ts'
import { createBatches, createSharedReads } from '../sharing.ts'
import { type PostgresAddress, parseAddress, unreachable } from './address.ts'
import { failureOf } from './failures.ts'
import { doubtsAbout, heed, migrate, startIds } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'

/** Runs of shared reads at once; what arrives while so many are under way shares the next. */
const readsAtOnce = 4
const scanMaxMs = 2_000
/** A transaction that the server undid for another's sake is run again this often. */
const attemptsMax = 6
/** A server that is not there is tried again for this long before a start gives up. */
const startMaxMs = 10_000
const startDelayMs = 250
const connectMaxMs = 2_000

export type PostgresOptions = {
  /** `postgres://…`, several hosts included. */
  text: string
  /** How the database is named in messages: without its password. */
  name: string
  firstId?: bigint | undefined
  warn(sentence: string): void
}

/** Opens a database that several processes may serve. Throws ExitError. */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const address = readAddress(options.text)
  await prepare(address, options)
  return createDb(openPool(address))
}

function readAddress(text: string): PostgresAddress {
  try {
    return parseAddress(text)
  } catch (error) {
    const allowed = error instanceof Error ? error.message : String(error)
    throw new ExitError('configuration', `PETSTORE_DATABASE must be ${allowed}.`, error)
  }
}

/** Checks the server and brings its schema up to date, on a connection without time limits. */
async function prepare(
  address: PostgresAddress,
  { name, firstId, warn }: PostgresOptions,
): Promise<void> {
  const client = await connectToPrimary(address)
  try {
    heed(await doubtsAbout(client), name, warn)
    await migrate(client, name)
    if (firstId !== undefined) await startIds(client, firstId)
  } catch (error) {
    if (error instanceof ExitError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const isRight = (error as { code?: string }).code === '42501'
    throw new ExitError(
      isRight ? 'noPermission' : 'ioError',
      `${name} cannot be prepared: ${reason}.`,
      error,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Tries every host in turn until one takes writes. Throws `ioError` when none does for a while. */
async function connectToPrimary(address: PostgresAddress): Promise<pg.Client> {
  const giveUpMs = instantMs() + startMaxMs
  for (;;) {
    let reason: unknown
    for (const host of address.hosts) {
      const client = new pg.Client({
        ...address.client,
        ...host,
        connectionTimeoutMillis: connectMaxMs,
      })
      try {
        await client.connect()
        await client.query('set idle_in_transaction_session_timeout = 0')
        const { rows } = await client.query('select pg_is_in_recovery() as is_standby')
        if (!rows[0]?.is_standby) return client
        reason = new Error('it is a standby')
      } catch (error) {
        reason = error
      }
      await client.end().catch(() => undefined)
    }
    const isOver = instantMs() > giveUpMs || isHopeless(reason)
    if (isOver)
      throw unreachable(address, reason instanceof Error ? reason.message : String(reason), reason)
    await sleep(startDelayMs)
  }
}

/** A wrong password, user or database name does not become right by waiting. */
function isHopeless(error: unknown): boolean {
  return /^(?:28|3D)/.test(String((error as { code?: unknown } | undefined)?.code))
}

function createDb(pool: Pool): Db {
  const reads = createSharedReads(
    (query, inputs) => pool.withConnection((sql) => query.run(sql, inputs)).catch(explainRead),
    readsAtOnce,
  )
  /** Inputs of one transaction that wait travel as its one statement, which commits by itself. */
  const batches = new Map<string, Batches>()
  const running = new Set<Promise<unknown>>()

  function batchesOf(transaction: Transaction<unknown, unknown>): Batches {
    let found = batches.get(transaction.name)
    if (!found) {
      found = createBatches((inputs: unknown[]) => runTogether(pool, transaction, inputs))
      batches.set(transaction.name, found)
    }
    return found
  }

  function runOne(
    transaction: Transaction<unknown, unknown>,
    input: unknown,
  ): Promise<Outcome<unknown>> {
    const run = runAlone(pool, transaction, input)
    running.add(run)
    return run.finally(() => running.delete(run))
  }

  return {
    read: reads.read,
    async scan(scan, input) {
      const checkTime = checkTimeUntil(instantMs() + scanMaxMs)
      return pool.withConnection((sql) => scan.run(sql, input, checkTime)).catch(explainRead)
    },
    async write<I, V>(transaction: Transaction<I, V>, input: I) {
      const outcome = await (transaction.together
        ? batchesOf(transaction).add(input)
        : runOne(transaction, input))
      if ('value' in outcome) return outcome.value as V
      throw new ServiceError(outcome.refusal.code, outcome.refusal.message)
    },
    async close() {
      await Promise.all([...batches.values()].map((batch) => batch.idle()))
      await Promise.allSettled(running)
      await pool.close()
    },
  }
}

type Batches = ReturnType<typeof createBatches<unknown, Outcome<unknown>>>

async function runTogether(
  pool: Pool,
  transaction: Transaction<unknown, unknown>,
  inputs: readonly unknown[],
): Promise<Outcome<unknown>[]> {
  return retried(() => pool.withConnection((sql) => transaction.run(sql, inputs)))
}

/** One input in one database transaction; a refusal undoes what it did. */
async function runAlone(
  pool: Pool,
  transaction: Transaction<unknown, unknown>,
  input: unknown,
): Promise<Outcome<unknown>> {
  return retried(() =>
    pool.withConnection(async (sql, client) => {
      await client.query('begin')
      try {
        const [outcome] = await transaction.run(sql, [input])
        if (!outcome) throw new Error(`${transaction.name} left its input without an outcome.`)
        await client.query('refusal' in outcome ? 'rollback' : 'commit')
        return outcome
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    }),
  )
}

/** Runs again what the server undid for another's sake; never what may have been stored. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (failureOf(error) !== 'retry' || attempt === attemptsMax) throw explainWrite(error)
      await sleep(2 ** attempt)
    }
  }
}

function explainRead(error: unknown): never {
  if (error instanceof ServiceError || failureOf(error) === 'defect') throw error
  throw unavailable('The database cannot be read now. Try again later.', error)
}

function explainWrite(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  switch (failureOf(error)) {
    case 'defect':
      return error
    case 'unknown':
      return unavailable(
        'The database failed while this was being stored: it is stored or it is not. Look before you repeat it.',
        error,
      )
    default:
      return unavailable(
        'The database cannot store this now. Nothing was stored; try again later.',
        error,
      )
  }
}

function unavailable(message: string, cause: unknown): ServiceError {
  return new ServiceError('unavailable', message, { cause, headers: { 'retry-after': '1' } })
}
