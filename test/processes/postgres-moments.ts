import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { FaultProxy } from './fault-proxy.ts'
import type { OwnPostgres } from './postgres.ts'
import { type Fault, type Fleet, untilWell } from './postgres-faults.ts'
import { signalAll } from './process.ts'

/** The server stops, and starts again once a create was refused: requests wait a while for a server that is down. */
export async function restart(
  server: OwnPostgres,
  mode: 'fast' | 'immediate',
  { history }: Fleet,
): Promise<Fault> {
  const before = history.count('refused')
  await server.bringDown(mode)
  while (history.count('refused') === before) await sleep(5)
  await server.bringUp()
  return { times: 1, overMs: performance.now() }
}

type Freeze = {
  /** At least one of the sessions, chosen at random. */
  share: number
  meanwhile(): Promise<void>
}

/**
 * Stops the processes of sessions, and lets them continue. One of them may be writing the log, for which all others
 * then wait: the duration of the effect has no limit.
 */
export async function freezeBackends(
  server: OwnPostgres,
  random: SeededRandom,
  { share, meanwhile }: Freeze,
): Promise<Fault> {
  const backends = await server.backends()
  const chosen = Math.floor(random.next() * backends.length)
  const frozen = backends.filter((_, index) => index === chosen || random.next() < share)
  signalAll(frozen, 'SIGSTOP')
  try {
    await meanwhile()
  } finally {
    signalAll(frozen, 'SIGCONT')
  }
  return { times: frozen.length, overMs: performance.now() }
}

/** Cuts connections at a statement, this many times, and waits until that has happened. */
export async function cut(
  proxy: FaultProxy,
  statement: RegExp,
  moment: 'answered' | 'unsent',
  times: number,
): Promise<Fault> {
  const before = proxy.cuts
  proxy.cutAt(statement, moment, times)
  while (proxy.cuts < before + times) await sleep(5)
  return { times: proxy.cuts - before, overMs: performance.now() }
}

/** Delays the server's results for a while; they were right when they were sent. */
export async function delayAnswers(
  proxy: FaultProxy,
  { delayMs, forMs }: { delayMs: number; forMs: number },
): Promise<Fault> {
  proxy.delayAnswers(delayMs)
  await sleep(forMs)
  proxy.delayAnswers(0)
  return { times: 1, overMs: performance.now() }
}

/** Longer than the time after which a statement is given up. */
const feltMaxMs = 20_000
const silencesMax = 5

/**
 * Makes connections silent for good; resolves when new ones have replaced them and a create was affected. If all
 * silent ones were used by reads, it does so again.
 */
export async function silence(proxy: FaultProxy, fleet: Fleet): Promise<Fault> {
  const failed = () => fleet.history.count('unknown') + fleet.history.count('refused')
  const before = failed()
  let times = 0
  let silentMs: number
  do {
    proxy.freeze('existing')
    silentMs = performance.now()
    times += 1
    await untilWell(fleet, silentMs)
    while (failed() === before && performance.now() < silentMs + feltMaxMs) await sleep(5)
  } while (failed() === before && times < silencesMax)
  return { times, overMs: silentMs }
}

/** The first server crashes, and its standby replaces it. */
export async function failOver(primary: OwnPostgres, standby: OwnPostgres): Promise<Fault> {
  await primary.bringDown('immediate')
  await standby.query('select pg_promote()')
  return { times: 1, overMs: performance.now() }
}

/** For `await using`: it is closed at the end of the block. */
async function connect(address: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Locks a table exclusively while the work runs. */
export async function lockTable(
  address: string,
  table: string,
  meanwhile: () => Promise<void>,
): Promise<Fault> {
  await using client = await connect(address)
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  await meanwhile()
  return { times: 1, overMs: performance.now() }
}

const slowSeconds = 0.02

type Slow = AsyncDisposable & {
  /** How many statements have read the table. */
  asked(): Promise<number>
}

/** Every statement that reads this table takes a while, until this is disposed of. */
export async function slowDown(address: string, table: string): Promise<Slow> {
  const client = await connect(address)
  await client.query(`alter table ${table} rename to slow_${table};
    create sequence asked;
    create view ${table} as select slow_${table}.*
      from slow_${table}, (select nextval('asked'), pg_sleep(${slowSeconds}) offset 0) as slow`)
  return {
    async asked() {
      return Number((await client.query('select last_value from asked')).rows[0].last_value)
    },
    async [Symbol.asyncDispose]() {
      await client.query(
        `drop view ${table}; drop sequence asked; alter table slow_${table} rename to ${table}`,
      )
      await client.end()
    },
  }
}

type Spoiled = {
  /** What happens instead, in PL/pgSQL. */
  instead: string
  /** The number of statements that insert pets. */
  times: number
}

/** Makes the next statements that insert pets fail, whichever service sends them. */
export async function spoilInserts(address: string, { instead, times }: Spoiled): Promise<Fault> {
  await using client = await connect(address)
  // A sequence also counts statements that were rolled back.
  await client.query(`create sequence spoiled;
    create function spoil() returns trigger language plpgsql as $$
    begin if nextval('spoiled') <= ${times} then ${instead}; end if; return null; end $$;
    create trigger spoil before insert on pets for each statement execute function spoil()`)
  while (!(await isOver(client, times))) await sleep(5)
  await client.query('drop trigger spoil on pets; drop function spoil; drop sequence spoiled')
  return { times, overMs: performance.now() }
}

/** Whether all have failed, and none is still running: its lock would keep the trigger in place. */
async function isOver(client: pg.Client, times: number): Promise<boolean> {
  const { rows } = await client.query(`select last_value > ${times} and not exists
    (select from pg_stat_activity where wait_event = 'PgSleep') as is_over from spoiled`)
  return rows[0].is_over
}
