import { overloaded } from '../batching/limiter.ts'
import { Unavailable } from '../errors.ts'
import type { Load } from '../load.ts'
import type { ServeOptions } from '../open-options.ts'
import { nameOfHost, type PostgresAddress } from './address.ts'
import { createExplanations, type Explanations } from './explain-failures.ts'
import { connectionAfter, isFull } from './failures.ts'
import { endSession, openSession, prepareSession, type Session } from './session.ts'
import { type PostgresSql, sqlOn } from './sql.ts'
import { joinStore, refuseMarked } from './store-lock.ts'
import { watchPrimary } from './watch-primary.ts'

/** The most sessions of a process on the primary, those that it gave up included. One more looks for the primary. */
const poolMax = 16
/** Processes of a supervisor share so many; each has at least `poolMin`. */
const sharedMax = 32
const poolMin = 4
/** The part of them that may be used by writes, or have been given up: the others are left to reads. */
const writesShare = 3 / 4
/** How long work waits for a session. */
const waitMaxMs = 1_500
/** With this much work waiting for a session, more is refused. */
const waitingMax = 1_000
/** How long a session is kept without work. */
const idleMaxMs = 10_000
/** After a session that could not be opened, this long none is opened. */
const openAgainMs = 200
/** The server cancels a statement after this … */
const statementMaxMs = 4_000
const lockMaxMs = 2_000
const idleInTransactionMaxMs = 5_000
/** … and the client gives the session up a little later, when the server or the network is frozen. */
const resultMaxMs = 5_000

type Use = 'reads' | 'writes'

type Work<T> = (sql: PostgresSql, host: string) => Promise<T>

/** Work runs on a session, whose host it is told. A failed session is not reused. Throws `Unavailable` when there is none in time. */
export type Pool = {
  /** Also throws as `Db` does for failed statements. */
  read<T>(work: Work<T>): Promise<T>
  write<T>(work: Work<T>): Promise<T>
  explainWrite: Explanations['explainWrite']
  load(): NonNullable<Load['pool']>
  close(): Promise<void>
}

/** The most sessions of each of so many processes of a supervisor; of a process without one. */
export function poolMaxOf(processes = 1): number {
  return Math.max(poolMin, Math.min(poolMax, Math.floor(sharedMax / processes)))
}

type Options = Pick<ServeOptions, 'isHeld' | 'admitsMarked' | 'random' | 'processes' | 'warn'> & {
  /** The database in messages, without its password. */
  name: string
  /** For commands: no statement timeouts. */
  isPatient: boolean
}

type Start = Pick<Session, 'host' | 'timeline'> & { searchPath: string }
type Pooled = Session & { generation: number; isEnded: boolean; idle?: NodeJS.Timeout }
type Waiting = { use: Use; late: NodeJS.Timeout; take(session: Pooled): void }

/** A pool of sessions on the primary among the hosts. `searchPath` leads all of them to the same store. */
export function openPool(
  address: PostgresAddress,
  options: Options,
  { searchPath, ...first }: Start,
): Pool {
  const { name, isPatient, isHeld, admitsMarked, random, warn } = options
  const max = poolMaxOf(options.processes)
  const writesMax = max * writesShare
  const limits = {
    lock_timeout: lockMaxMs,
    idle_in_transaction_session_timeout: idleInTransactionMaxMs,
    ...(isPatient ? {} : { statement_timeout: statementMaxMs }),
  }
  const waiting = new Set<Waiting>()
  const idle: Pooled[] = []
  /** Sessions that are open, or being opened. */
  let open = 0
  let opening = 0
  let writing = 0
  /** Why the last session could not be opened. */
  let failure: unknown
  let pausing: NodeJS.Timeout | undefined
  let closed: PromiseWithResolvers<void> | undefined
  const watch = watchPrimary({
    ...{ address, first, name, random, warn },
    onChange() {
      for (const session of idle.splice(0)) {
        if (session.generation === watch.generation()) idle.push(session)
        else drop(session)
      }
      serve()
    },
  })

  function drop({ client, idle: timer }: Pooled) {
    clearTimeout(timer)
    endSession(client)
    open -= 1
    if (open === 0) closed?.resolve()
  }

  /** Gives sessions to work in its order; writes beyond their share are passed over. */
  function serve() {
    let wanted = 0
    for (const work of waiting) {
      const isLimited = work.use === 'writes' && writing + watch.held() >= writesMax
      if (isLimited) continue
      const session = idle.pop()
      if (!session) {
        wanted += 1
        continue
      }
      clearTimeout(session.idle)
      clearTimeout(work.late)
      waiting.delete(work)
      if (work.use === 'writes') writing += 1
      work.take(session)
    }
    // One finds out whether more can be opened.
    const atOnce = failure === undefined ? wanted : Math.min(wanted, 1)
    while (opening < atOnce && open + watch.held() < max && mayOpen()) void openOne()
  }

  const mayOpen = () => !closed && pausing === undefined && watch.host() !== undefined

  async function openOne(): Promise<void> {
    const host = watch.host()
    const generation = watch.generation()
    if (!host) return
    open += 1
    opening += 1
    let session: Pooled | undefined
    try {
      const opened = await openSession(address, host, sessionOptions)
      session = { ...opened, generation, isEnded: false }
      session.client.once('end', () => noteEnd(session as Pooled))
      if (generation === watch.generation()) watch.accept(session)
      await prepareSession(session.client, limits, searchPath)
      // A transfer may have begun, or ended, while this process had no session.
      if (!isHeld) await joinStore(session.client, name)
      if (!admitsMarked) await refuseMarked(session.client, name)
      failure = undefined
      opening -= 1
      keep(session)
    } catch (error) {
      opening -= 1
      failure = error
      pausing = setTimeout(resume, openAgainMs).unref()
      if (session) drop(session)
      else open -= 1
      // A server without free sessions is still the primary.
      if (!isFull(error)) watch.lose(generation, error)
    }
  }

  const sessionOptions = {
    ...(isPatient ? {} : { query_timeout: resultMaxMs }),
    pipeline: true,
    application_name: 'petstore',
  }

  function resume() {
    pausing = undefined
    serve()
  }

  function keep(session: Pooled) {
    const isUsable = !session.isEnded && session.generation === watch.generation()
    if (closed || !isUsable) drop(session)
    else {
      session.idle = setTimeout(() => noteEnd(session), idleMaxMs).unref()
      idle.push(session)
    }
    serve()
  }

  /** A session without work is dropped; another one when its work is done. */
  function noteEnd(session: Pooled) {
    session.isEnded = true
    const index = idle.indexOf(session)
    if (index < 0) return
    idle.splice(index, 1)
    drop(session)
  }

  function describeHeld(): Error | undefined {
    const held = watch.held()
    if (held === 0) return undefined
    return new Error(`The server has not ended ${held} statements that were given up`)
  }

  function take(use: Use): Promise<Pooled> {
    if (closed) throw new Error('The database is closed.')
    if (waiting.size >= waitingMax) throw overloaded()
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(work)
        const cause = watch.host() ? failure : watch.failure()
        reject(cause === undefined ? overloaded(describeHeld()) : unreachable(cause))
      }, waitMaxMs)
      const work: Waiting = { use, late, take: resolve }
      waiting.add(work)
      serve()
    })
  }

  function giveBack(session: Pooled, error: unknown) {
    const { generation } = session
    const state = error === undefined ? 'good' : connectionAfter(error)
    if (state === 'good') return keep(session)
    drop(session)
    if (state === 'broken') watch.giveUp(session, generation)
    if (state === 'readOnly') watch.lose(generation, error)
    serve()
  }

  async function run<T>(use: Use, work: Work<T>): Promise<T> {
    const session = await take(use)
    let failed: unknown
    try {
      return await work(sqlOn(session.client), nameOfHost(session.host))
    } catch (error) {
      failed = error
      throw error
    } finally {
      if (use === 'writes') writing -= 1
      giveBack(session, failed)
    }
  }

  const { explainRead, explainWrite } = createExplanations(options)
  return {
    read: (work) => run('reads', work).catch(explainRead),
    write: (work) => run('writes', work),
    explainWrite,
    load: () => ({
      open: open + watch.held(),
      idle: idle.length,
      max,
      waiting: waiting.size,
    }),
    async close() {
      closed = Promise.withResolvers()
      watch.stop()
      clearTimeout(pausing)
      for (const session of idle.splice(0)) drop(session)
      if (open > 0) await closed.promise
    },
  }
}

function unreachable(cause: unknown): Unavailable {
  const message = 'The database cannot be reached now. Nothing was stored; try again later.'
  return new Unavailable(message, { cause })
}
