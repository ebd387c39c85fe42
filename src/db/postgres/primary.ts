import { sleep } from '../../timers.ts'
import { instantMs } from '../deadline.ts'
import type { ServeOptions } from '../opening/open-options.ts'
import { nameOfHost, type PostgresAddress } from './address.ts'
import { isFull } from './failures.ts'
import { findPrimary, isOlder, requireNewest } from './find-primary.ts'
import { endSession, openSession, prepareSession, type Session, select } from './session.ts'
import { joinStore, refuseMarked } from './store-lock.ts'

/** The server cancels a statement after this … */
const statementMaxMs = 4_000
const lockMaxMs = 2_000
const idleInTransactionMaxMs = 5_000
/** … and the client gives the session up a little later, when the server or the network is frozen. */
const resultMaxMs = 5_000
/** After a session that could not be opened, this long none is opened. */
const openAgainMs = 200
/** Pauses between two looks at the hosts: the first one, doubled up to the last one, each shortened by up to a half. */
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

/** Knows which host is the primary, opens sessions on it, and counts those that were given up there. */
export class Primary {
  readonly #options: PrimaryOptions
  /** Called when more sessions may be opened, and when those that are open are no longer trusted. */
  readonly #onChange: () => void
  /** Sessions that may be used again: others may be dead, or lead to the wrong server. */
  trusted: Set<Session> = new Set()
  /** Processes of the server that still run a statement whose session was given up. */
  readonly held = new Set<number>()
  /** The last primary, and the newest timeline. */
  #found: Found
  /** Why no host is known to be the primary. */
  #lost: unknown
  /** Why the last session could not be opened. */
  #refused: unknown
  /** Since when the log says that there is no primary. */
  #lostAtMs: number | undefined
  #isLooking = false
  /** Ends the pause between two looks. */
  #pausing = new AbortController()
  #isStopped = false

  constructor(options: PrimaryOptions, found: Found, onChange: () => void) {
    this.#options = options
    this.#found = found
    this.#onChange = onChange
  }

  /** Why there are no sessions now. */
  get failure(): unknown {
    return this.#lost ?? this.#refused
  }

  /** How many sessions may be opened at the same time: after a failure one finds out whether more can be. */
  get openingMax(): number {
    if (this.#isStopped || this.#lost !== undefined) return 0
    return this.#refused === undefined ? Number.POSITIVE_INFINITY : 1
  }

  /**
   * Opens a session on the primary. Resolves with undefined after a failure, once another may be tried, and where those that
   * were open at the beginning are no longer trusted.
   */
  async open(): Promise<Session | undefined> {
    const { address, isPatient } = this.#options
    const { host } = this.#found
    const { trusted } = this
    const isLate = () => this.trusted !== trusted
    let session: Session | undefined
    try {
      session = await openSession(address, host, {
        ...(isPatient ? {} : { query_timeout: resultMaxMs }),
        pipeline: true,
        application_name: 'petstore',
      })
      await this.#prepare(session)
      if (isLate()) throw new Error('Sessions of its time are no longer trusted.')
      this.#accept(session)
      this.trusted.add(session)
      this.#refused = undefined
      return session
    } catch (error) {
      if (session) endSession(session.client)
      // It says nothing of the sessions that were opened since.
      if (isLate()) return undefined
      this.#refused = error
      // A server without free sessions is still the primary.
      if (!isFull(error)) this.#lose(error)
      await sleep(openAgainMs)
      return undefined
    }
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

  /** A session broke, or was given up: the server may go on with it, and others may be as dead. */
  giveUp(session: Session): void {
    if (session.host !== this.#found.host) return
    this.held.add(session.pid)
    if (this.trusted.has(session)) this.#distrust()
    void this.#look()
  }

  /** The server of a session refuses writes. */
  leave(session: Session, error: unknown): void {
    if (this.trusted.has(session)) this.#lose(error)
  }

  #lose(error: unknown): void {
    this.#lost = error
    this.#distrust()
    void this.#look()
  }

  #distrust(): void {
    this.trusted = new Set()
    this.#onChange()
  }

  /** Looks at the hosts, once at a time, until there is a primary which runs no statement that was given up. */
  async #look(): Promise<void> {
    this.#pausing.abort()
    if (this.#isLooking) return
    this.#isLooking = true
    for (let attempt = 0; !this.#isStopped; attempt++) {
      this.#pausing = new AbortController()
      await this.#lookOnce()
      if (this.#lost === undefined && this.held.size === 0) break
      const options = { signal: this.#pausing.signal, ref: false }
      await sleep(this.#pauseAfter(attempt), undefined, options).catch(() => undefined)
    }
    this.#isLooking = false
  }

  async #lookOnce(): Promise<void> {
    const { address, name, warn } = this.#options
    try {
      const { session, over } = await findPrimary(address, this.#found.timeline)
      try {
        await this.#dropEnded(session)
        this.#accept(session)
      } finally {
        endSession(session.client)
      }
      if (this.held.size > 0) await over
    } catch (error) {
      this.#lost = error
      if (this.#lostAtMs !== undefined || this.#isStopped) return
      this.#lostAtMs = instantMs()
      const reason = (error as Error).message
      warn(`${name} has no primary now: ${reason}. Requests wait for one, or get 503.`)
    }
  }

  async #dropEnded({ client, host }: Session): Promise<void> {
    if (host !== this.#found.host) this.held.clear()
    if (this.held.size === 0) return
    const asked = [...this.held]
    const rows = await select<[pid: number]>(client, selectActive, [asked])
    const active = new Set(rows.flat())
    for (const pid of asked) if (!active.has(pid)) this.held.delete(pid)
  }

  /** Takes note of the primary that a new session has reached. Throws where it was deposed. */
  #accept(session: Session): void {
    const before = this.#found
    requireNewest(session, before.timeline)
    const { host, timeline = before.timeline } = session
    const isOther = host !== before.host || isOlder(before.timeline, timeline)
    this.#found = { host, timeline }
    this.#lost = undefined
    this.#tellFound(isOther ? before : undefined)
    if (isOther) this.#distrust()
    else this.#onChange()
  }

  #tellFound(before: Found | undefined): void {
    const { warn } = this.#options
    const tookMs = this.#lostAtMs === undefined ? undefined : instantMs() - this.#lostAtMs
    this.#lostAtMs = undefined
    const after = tookMs === undefined ? '' : `, after ${(tookMs / 1_000).toFixed(1)} s without one`
    const now = describe(this.#found)
    if (before) warn(`The primary is ${now} now${after}; it was ${describe(before)}.`)
    else if (after) warn(`The primary is ${now} again${after}.`)
  }

  #pauseAfter(attempt: number): number {
    const longestMs = Math.min(pauseMs.first * 2 ** attempt, pauseMs.last)
    const [chance = 0] = this.#options.random?.(1) ?? []
    return longestMs * (1 - chance / 512)
  }

  stop(): void {
    this.#isStopped = true
    this.#pausing.abort()
  }
}

function describe({ host, timeline }: Found): string {
  return `${nameOfHost(host)}${timeline === undefined ? '' : ` on timeline ${timeline.number}`}`
}
