import { timers } from '../../timers.ts'
import { overloaded } from '../batching/limiter.ts'
import { Unavailable } from '../errors.ts'
import type { Load } from '../opening/load.ts'
import { nameOfHost } from './address.ts'
import { type Found, openingMax, Primary, type PrimaryOptions } from './primary.ts'
import type { Opened } from './sessions.ts'
import { type PostgresSql, sqlOn } from './sql.ts'

/** The most sessions of a process on the primary, those that it gave up included. One more looks for the primary. */
const poolMax = 16
/** Processes of a supervisor share so many; each has at least `poolMin`. */
const sharedMax = 32
const poolMin = 4
/** The part of them that writes and scans may use, or that have been given up: the others are left to reads. */
const longShare = 3 / 4
/** The part that scans may use: there are many kinds of them, which take seconds. */
const scansShare = 1 / 2
/** How long work waits for a session. */
const waitMaxMs = 1_500
/** With this much work waiting for a session, more is refused. */
const waitingMax = 1_000

/** The most sessions of a process, where a supervisor has so many processes. */
export function poolMaxOf(processes = 1): number {
  return Math.max(poolMin, Math.min(poolMax, Math.floor(sharedMax / processes)))
}

type Use = 'reads' | 'writes' | 'scans'
export type Work<T> = (sql: PostgresSql, host: string) => Promise<T>
type Waiting = { use: Use; late: NodeJS.Timeout; take(session: Opened): void }

/** Gives work the sessions of a primary (states of both: `sessions.ts`, `primary.ts`). It is closed once that is stopped. */
export class Pool {
  readonly #max: number
  readonly #primary: Primary
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>()
  /** How much work has a session. */
  readonly #running = { reads: 0, writes: 0, scans: 0 }
  readonly #closed = Promise.withResolvers<void>()

  constructor(options: PrimaryOptions & { processes?: number | undefined }, found: Found) {
    this.#max = poolMaxOf(options.processes)
    this.#primary = new Primary(options, found, () => this.#serve())
  }

  /** Runs work on a session, whose host it is told. Throws `Unavailable` when there is none in time. */
  async run<T>(use: Use, work: Work<T>): Promise<T> {
    const session = await this.#take(use)
    let failure: unknown
    try {
      return await work(sqlOn(session.client), nameOfHost(session.host))
    } catch (error) {
      failure = error
      throw error
    } finally {
      this.#running[use] -= 1
      this.#primary.takeBack(session, failure)
      this.#serve()
    }
  }

  #take(use: Use): Promise<Opened> {
    if (this.#primary.state === 'stopped') throw new Error('The database is closed.')
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
    const { failure: cause, sessions } = this.#primary
    if (cause !== undefined) {
      const message = 'The database cannot be reached now. Nothing was stored; try again later.'
      return new Unavailable(message, { cause })
    }
    const held = sessions.in('held').length
    if (held === 0) return overloaded()
    return overloaded(new Error(`The server has not ended ${held} statements that were given up`))
  }

  /** Gives sessions to work in its order; writes and scans beyond their share are passed over. */
  #serve(): void {
    const { sessions, state } = this.#primary
    const idle = sessions.in('idle')
    const held = sessions.in('held').length
    let wanted = 0
    for (const work of this.#waiting) {
      if (this.#isBeyondShare(work.use, held)) continue
      const session = idle.pop()
      if (!session) {
        wanted += 1
        continue
      }
      timers.clearTimeout(work.late)
      this.#waiting.delete(work)
      this.#running[work.use] += 1
      sessions.note(session, 'taken')
      work.take(session as Opened)
    }
    const openMax = Math.min(wanted, openingMax[state])
    while (sessions.in('opening').length < openMax && sessions.size < this.#max)
      void this.#primary.open()
    if (state === 'stopped' && sessions.size === held) this.#closed.resolve()
  }

  #isBeyondShare(use: Use, held: number): boolean {
    const { writes, scans } = this.#running
    if (use === 'scans' && scans >= this.#max * scansShare) return true
    return use !== 'reads' && writes + scans + held >= this.#max * longShare
  }

  load(): NonNullable<Load['pool']> {
    const { sessions } = this.#primary
    const [open, idle] = [sessions.size, sessions.in('idle').length]
    return { open, idle, max: this.#max, waiting: this.#waiting.size }
  }

  /** Resolves once no work is running; what waits for a session gets none. */
  async close(): Promise<void> {
    this.#primary.stop()
    this.#serve()
    await this.#closed.promise
  }
}
