import { type Moves, next } from '../../states.ts'
import { timers } from '../../timers.ts'
import type { connectionAfter } from './failures.ts'
import { endSession, type Session } from './session.ts'

/** How long a session is kept without work. */
const idleMaxMs = 10_000

/**
 * A session of a pool is
 * - opening: until it is opened, or was refused a moment ago;
 * - idle: open, and without work;
 * - used: work runs on it, and more may follow;
 * - cut: used, and its connection has ended meanwhile;
 * - doubted: opening or used, when it may be dead or on the wrong server. It gets no other work;
 * - held: its connection broke, or was given up, and the server may go on with its statement. It counts until that has ended;
 * - ended: none of the pool's.
 * Work whose session does not end well has failed, and is not run on another one: of a write, see `transaction.ts`.
 */
type State = 'opening' | 'idle' | 'used' | 'cut' | 'doubted' | 'held' | 'ended'
/** It was opened, was given to work, was closed by the network, or is doubted with all others; or how its work left it. */
type Event = 'opened' | 'taken' | 'closed' | 'doubt' | ReturnType<typeof connectionAfter>

const afterLast = { good: 'ended', broken: 'held', ended: 'ended', readOnly: 'ended' } as const

export const sessionMoves: Moves<State, Event> = {
  opening: { opened: 'idle', ended: 'ended', doubt: 'doubted' },
  idle: { taken: 'used', ended: 'ended', closed: 'ended', doubt: 'ended' },
  used: { ...afterLast, good: 'idle', closed: 'cut', doubt: 'doubted' },
  cut: { ...afterLast, doubt: 'doubted' },
  doubted: { ...afterLast, closed: 'doubted', doubt: 'doubted' },
  held: { ended: 'ended', closed: 'held', doubt: 'held' },
  ended: { closed: 'ended' },
}

/** A session of a pool. Until it is opened it has only its state. */
export type Pooled = Partial<Session> & { state: State; expiry?: NodeJS.Timeout }
export type Opened = Pooled & Session

/** The sessions of a pool. */
export class Sessions {
  readonly #all: Pooled[] = []

  get size(): number {
    return this.#all.length
  }

  /** In the order in which they were opened. */
  in(state: State): Pooled[] {
    return this.#all.filter((session) => session.state === state)
  }

  begin(): Pooled {
    const session: Pooled = { state: 'opening' }
    this.#all.push(session)
    return session
  }

  opened(pooled: Pooled, session: Session): void {
    Object.assign(pooled, session)
    session.client.once('end', () => this.note(pooled, 'closed'))
    this.note(pooled, 'opened')
  }

  /** Those that are open or being opened, but for one, serve no work but that which they have. */
  doubtAll(but?: Pooled): void {
    for (const session of [...this.#all]) if (session !== but) this.note(session, 'doubt')
  }

  note(session: Pooled, event: Event): void {
    const before = session.state
    const state = next(sessionMoves, before, event)
    if (state === before) return
    session.state = state
    timers.clearTimeout(session.expiry)
    if (state === 'idle')
      session.expiry = timers.setTimeout(() => this.note(session, 'ended'), idleMaxMs).unref()
    if (session.client && (state === 'held' || state === 'ended')) endSession(session.client)
    if (state === 'ended') this.#all.splice(this.#all.indexOf(session), 1)
  }
}
