import { timers } from '../../timers.ts'
import { overloaded } from '../batching/limiter.ts'
import { Unavailable } from '../errors.ts'
import type { Load } from '../opening/load.ts'
import { nameOfHost } from './address.ts'
import { connectionAfter } from './failures.ts'
import { type Found, Primary, type PrimaryOptions } from './primary.ts'
import { endSession, type Session } from './session.ts'
import { type PostgresSql, sqlOn } from './sql.ts'

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

/** The most sessions of each of so many processes of a supervisor; of a process without one. */
export function poolMaxOf(processes = 1): number {
  return Math.max(poolMin, Math.min(poolMax, Math.floor(sharedMax / processes)))
}

type Use = 'reads' | 'writes'
export type Work<T> = (sql: PostgresSql, host: string) => Promise<T>
type Pooled = Session & { idle?: NodeJS.Timeout; isEnded?: true }
type Waiting = { use: Use; late: NodeJS.Timeout; take(session: Pooled): void }

/** A pool of sessions on the primary among the hosts. A failed session is not reused. */
export class Pool {
  readonly #max: number
  readonly #primary: Primary
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>()
  readonly #idle: Pooled[] = []
  /** How many sessions are in use. */
  readonly #used = { reads: 0, writes: 0 }
  #opening = 0
  #closed: PromiseWithResolvers<void> | undefined

  constructor(options: PrimaryOptions & { processes?: number | undefined }, found: Found) {
    this.#max = poolMaxOf(options.processes)
    this.#primary = new Primary(options, found, () => {
      for (const session of [...this.#idle]) if (!this.#isUsable(session)) this.#drop(session)
      this.#serve()
    })
  }

  /** Runs work on a session, whose host it is told. Throws `Unavailable` when there is none in time. */
  async run<T>(use: Use, work: Work<T>): Promise<T> {
    const session = await this.#take(use)
    try {
      return await work(sqlOn(session.client), nameOfHost(session.host))
    } catch (error) {
      this.#noteFailure(session, error)
      throw error
    } finally {
      this.#used[use] -= 1
      this.#keep(session)
      this.#serve()
    }
  }

  #take(use: Use): Promise<Pooled> {
    if (this.#closed) throw new Error('The database is closed.')
    if (this.#waiting.size >= waitingMax) throw overloaded()
    return new Promise((resolve, reject) => {
      const late = timers.setTimeout(() => {
        this.#waiting.delete(work)
        reject(this.#explainLate())
      }, waitMaxMs)
      const work: Waiting = { use, late, take: resolve }
      this.#waiting.add(work)
      this.#serve()
    })
  }

  #explainLate(): Unavailable {
    const { failure: cause, held } = this.#primary
    if (cause !== undefined) {
      const message = 'The database cannot be reached now. Nothing was stored; try again later.'
      return new Unavailable(message, { cause })
    }
    if (held.size === 0) return overloaded()
    const message = `The server has not ended ${held.size} statements that were given up`
    return overloaded(new Error(message))
  }

  /** Gives sessions to work in its order; writes beyond their share are passed over. */
  #serve(): void {
    let wanted = 0
    for (const work of this.#waiting) {
      const isLimited =
        work.use === 'writes' &&
        this.#used.writes + this.#primary.held.size >= this.#max * writesShare
      if (isLimited) continue
      const session = this.#idle.pop()
      if (!session) {
        wanted += 1
        continue
      }
      timers.clearTimeout(session.idle)
      timers.clearTimeout(work.late)
      this.#waiting.delete(work)
      this.#used[work.use] += 1
      work.take(session)
    }
    const openingMax = Math.min(wanted, this.#primary.openingMax)
    while (this.#opening < openingMax && this.#open < this.#max) void this.#openOne()
    if (this.#own === 0) this.#closed?.resolve()
  }

  /** With the sessions that the server may still hold. */
  get #open(): number {
    return this.#own + this.#primary.held.size
  }

  /** With the sessions that are being opened. */
  get #own(): number {
    return this.#idle.length + this.#used.reads + this.#used.writes + this.#opening
  }

  async #openOne(): Promise<void> {
    this.#opening += 1
    const session = await this.#primary.open()
    this.#opening -= 1
    if (session) {
      session.client.once('end', () => this.#noteEnd(session))
      this.#keep(session)
    }
    this.#serve()
  }

  /** Keeps a session for further work, unless it is no longer trusted. */
  #keep(session: Pooled): void {
    if (this.#isUsable(session)) {
      session.idle = timers.setTimeout(() => this.#drop(session), idleMaxMs).unref()
      this.#idle.push(session)
    } else this.#drop(session)
  }

  /** A session in use is dropped when its work is done: the failure of that may take the trust from the others. */
  #noteEnd(session: Pooled): void {
    session.isEnded = true
    if (this.#idle.includes(session)) this.#drop(session)
  }

  #isUsable(session: Pooled): boolean {
    return !this.#closed && !session.isEnded && this.#primary.trusted.has(session)
  }

  #noteFailure(session: Pooled, error: unknown): void {
    const state = connectionAfter(error)
    if (state === 'broken') this.#primary.giveUp(session)
    if (state === 'readOnly') this.#primary.leave(session, error)
    if (state !== 'good') this.#drop(session)
  }

  #drop(session: Pooled): void {
    this.#primary.trusted.delete(session)
    const index = this.#idle.indexOf(session)
    if (index >= 0) this.#idle.splice(index, 1)
    timers.clearTimeout(session.idle)
    endSession(session.client)
  }

  load(): NonNullable<Load['pool']> {
    const [max, waiting] = [this.#max, this.#waiting.size]
    return { open: this.#open, idle: this.#idle.length, max, waiting }
  }

  async close(): Promise<void> {
    this.#closed = Promise.withResolvers()
    this.#primary.stop()
    for (const session of [...this.#idle]) this.#drop(session)
    this.#serve()
    await this.#closed.promise
  }
}
