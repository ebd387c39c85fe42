import { type Moves, next } from '../../states.ts'
import { sleep } from '../../timers.ts'
import { instantMs } from '../deadline.ts'
import type { ServeOptions } from '../opening/open-options.ts'
import { nameOfHost, type PostgresAddress } from './address.ts'
import { connectionAfter, isFull } from './failures.ts'
import { findPrimary, isOlder, requireNewest } from './find-primary.ts'
import { endSession, openSession, prepareSession, type Session, select } from './session.ts'
import { type Opened, type Pooled, Sessions } from './sessions.ts'
import { joinStore, refuseMarked } from './store-lock.ts'

/** The server cancels a statement after this … */
const statementMaxMs = 4_000
const lockMaxMs = 2_000
const idleInTransactionMaxMs = 5_000
/** … and the client gives the session up a little later, when the server or the network is frozen. */
const resultMaxMs = 5_000
/** After a session that could not be opened, this long none is opened. */
const openAgainMs = 200
/** Pauses between two searches: the first one, doubled up to the last one, each shortened by up to a half. */
const pauseMs = { first: 50, last: 500 } as const

export type PrimaryOptions = Pick<ServeOptions, 'isHeld' | 'admitsMarked' | 'random' | 'warn'> & {
  address: PostgresAddress
  /** The database in messages, without its password. */
  name: string
  /** For commands: no statement timeouts. */
  isPatient: boolean
  /** Leads all sessions to the same store. */
  searchPath: string
}

const selectActive = "select pid from pg_stat_activity where pid = any($1) and state = 'active'"

/** A host that was found to be the primary. */
export type Found = Pick<Session, 'host' | 'timeline'>

/**
 * The primary is
 * - known: sessions are opened as they are needed;
 * - trying: found anew, or without a free session: one at a time is opened, and shows whether there can be more;
 * - doubted: it refused a session or a write. No session is opened, and the hosts are asked which one is the primary;
 * - lost: none of them was, as the log says. They are asked again and again;
 * - stopped: nothing begins any more.
 * While sessions are held, the hosts are asked in each state but the last.
 */
type State = 'known' | 'trying' | 'doubted' | 'lost' | 'stopped'

/** A session was opened, found the server full, or failed, as by a refused write. The hosts were asked: found, missed. */
type Event = 'opened' | 'full' | 'failed' | 'found' | 'missed' | 'stop'

const always = { missed: 'lost', stop: 'stopped' } as const

export const primaryMoves: Moves<State, Event> = {
  known: { opened: 'known', full: 'trying', failed: 'doubted', found: 'known', ...always },
  trying: { opened: 'known', full: 'trying', failed: 'doubted', found: 'trying', ...always },
  doubted: { found: 'trying', ...always },
  lost: { opened: 'known', full: 'lost', failed: 'lost', found: 'trying', ...always },
  stopped: { found: 'stopped', missed: 'stopped' },
}

/** In each state, how many sessions may be opened at the same time. */
export const openingMax = { known: Infinity, trying: 1, doubted: 0, lost: 0, stopped: 0 }

/** Knows which host is the primary, and opens sessions on it. */
export class Primary {
  readonly #options: PrimaryOptions
  readonly sessions = new Sessions()
  /** Called when more sessions may be opened, or one has no work. */
  readonly #onChange: () => void
  state: State = 'known'
  /** The last primary, and the newest timeline. */
  #found: Found
  /** Why there are no sessions, unless the primary is known. */
  failure: unknown
  /** When it was lost. */
  #lostAtMs = 0
  /** Ends the pause between two searches for the primary, while there are some. */
  #pause: AbortController | undefined

  constructor(options: PrimaryOptions, found: Found, onChange: () => void) {
    this.#options = options
    this.#found = found
    this.#onChange = onChange
  }

  /** Opens a session on the primary. Resolves once it has no work, or another one may be tried. */
  async open(): Promise<void> {
    const { address, isPatient } = this.#options
    const pooled = this.sessions.begin()
    const isDoubted = () => pooled.state === 'doubted'
    let session: Session | undefined
    try {
      session = await openSession(address, this.#found.host, {
        ...(isPatient ? {} : { query_timeout: resultMaxMs }),
        pipeline: true,
        application_name: 'petstore',
      })
      await this.#prepare(session)
      if (isDoubted()) throw new Error('The primary changed while this session was opened.')
      this.#accept(session, 'opened', pooled)
      this.failure = undefined
      this.sessions.opened(pooled, session)
    } catch (error) {
      if (session) endSession(session.client)
      // A doubted one says nothing of the primary.
      if (!isDoubted()) {
        this.#fail(error, isFull(error) ? 'full' : 'failed', pooled)
        await sleep(openAgainMs)
      }
      this.sessions.note(pooled, 'ended')
    }
    this.#onChange()
  }

  async #prepare({ client }: Session): Promise<void> {
    const { name, isPatient, isHeld, admitsMarked, searchPath } = this.#options
    const limits = {
      lock_timeout: lockMaxMs,
      idle_in_transaction_session_timeout: idleInTransactionMaxMs,
      ...(isPatient ? {} : { statement_timeout: statementMaxMs }),
    }
    await prepareSession(client, limits, searchPath)
    // A restore or a move may have begun, or ended, while this process had no session.
    if (!isHeld) await joinStore(client, name)
    if (!admitsMarked) await refuseMarked(client, name)
  }

  /** The work on a session is over. One that broke may be held by the server, and the others may be as dead. */
  takeBack(session: Opened, error: unknown): void {
    const after = connectionAfter(error)
    const isTrusted = session.state !== 'doubted'
    const isElsewhere = session.host !== this.#found.host
    this.sessions.note(session, after === 'broken' && isElsewhere ? 'ended' : after)
    if (after === 'readOnly' && isTrusted) this.#fail(error, 'failed')
    if (after !== 'broken') return
    if (isTrusted) this.sessions.doubtAll()
    void this.#find()
  }

  #fail(error: unknown, event: 'full' | 'failed', session?: Pooled): void {
    this.#note(event)
    this.failure = error
    if (event === 'full') return
    this.sessions.doubtAll(session)
    void this.#find()
  }

  #note(event: Event): void {
    this.state = next(primaryMoves, this.state, event)
  }

  get #mustFind(): boolean {
    const isUnknown = this.state === 'doubted' || this.state === 'lost'
    return isUnknown || (this.state !== 'stopped' && this.sessions.in('held').length > 0)
  }

  /** Asks the hosts, once at a time, until there is a primary that holds no session. */
  async #find(): Promise<void> {
    if (this.#pause) return this.#pause.abort()
    for (let attempt = 0; this.#mustFind; attempt++) {
      this.#pause = new AbortController()
      await this.#findOnce()
      const options = { signal: this.#pause.signal, ref: false }
      await sleep(this.#pauseAfter(attempt), undefined, options).catch(() => undefined)
    }
    this.#pause = undefined
  }

  async #findOnce(): Promise<void> {
    try {
      const { session, over } = await findPrimary(this.#options.address, this.#found.timeline)
      try {
        await this.#releaseEnded(session)
        this.#accept(session, 'found')
      } finally {
        endSession(session.client)
      }
      this.#onChange()
      if (this.#mustFind) await over
    } catch (error) {
      this.#miss(error as Error)
    }
  }

  /** Another host holds no session of the last one. */
  async #releaseEnded({ client, host }: Session): Promise<void> {
    const held = this.sessions.in('held')
    const pids = host === this.#found.host ? held.map(({ pid }) => pid) : []
    const rows = pids.length > 0 ? await select<[pid: number]>(client, selectActive, [pids]) : []
    const active = new Set<unknown>(rows.flat())
    for (const session of held) if (!active.has(session.pid)) this.sessions.note(session, 'ended')
  }

  #miss(error: Error): void {
    const { name, warn } = this.#options
    const before = this.state
    this.#note('missed')
    this.failure = error
    if (this.state === before) return
    this.#lostAtMs = instantMs()
    warn(`${name} has no primary now: ${error.message}. Requests wait for one, or get 503.`)
  }

  /** Takes note of the primary that a new session has reached. Throws where it was deposed. */
  #accept(session: Session, event: 'opened' | 'found', pooled?: Pooled): void {
    const before = this.#found
    requireNewest(session, before.timeline)
    const { host, timeline = before.timeline } = session
    const isOther = host !== before.host || isOlder(before.timeline, timeline)
    const tookMs = this.state === 'lost' ? instantMs() - this.#lostAtMs : undefined
    this.#found = { host, timeline }
    this.#note(event)
    if (isOther) this.sessions.doubtAll(pooled)
    const { warn } = this.#options
    const after = tookMs === undefined ? '' : `, after ${(tookMs / 1_000).toFixed(1)} s without one`
    const now = describe(this.#found)
    if (isOther) warn(`The primary is ${now} now${after}; it was ${describe(before)}.`)
    else if (after) warn(`The primary is ${now} again${after}.`)
  }

  #pauseAfter(attempt: number): number {
    const longestMs = Math.min(pauseMs.first * 2 ** attempt, pauseMs.last)
    const [chance = 0] = this.#options.random?.(1) ?? []
    return longestMs * (1 - chance / 512)
  }

  stop(): void {
    this.#note('stop')
    this.sessions.doubtAll()
    this.#pause?.abort()
  }
}

function describe({ host, timeline }: Found): string {
  return `${nameOfHost(host)}${timeline === undefined ? '' : ` on timeline ${timeline.number}`}`
}
