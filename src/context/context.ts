import type { StreamContent } from '../contract/content.ts'
import type { EventTypes } from '../contract/event-type.ts'
import type { Scope } from '../contract/operation.ts'
import type { Db, Origin } from '../db/db.ts'
import type { DamagedRow } from '../db/records/damaged-row.ts'
import type { Spool } from '../db/spool/spool.ts'
import type { LogLimits } from '../db/storage.ts'
import { dateNow, performance } from '../timers.ts'
import type { Quota } from './quota.ts'

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Clock = () => number

/** Cryptographically strong random bytes. */
export type Random = (count: number) => Uint8Array

/** The client of an operation: its key as it was sent, and what the key may do. */
export type Actor = {
  keyId: bigint
  /** How the log of changes names it: one object for all its requests, which is copied to the writer's thread once a batch. */
  author: Origin['actor']
  digest: Uint8Array
  scopes: ReadonlySet<Scope>
  /** When the key ends; milliseconds since 1970. */
  expiresAt?: number | undefined
  /** Absent of a key without a limit. */
  quota?: Quota | undefined
}

/** What every verb has, also in commands and jobs. */
export type Context = {
  db: Db
  clock: Clock
  random: Random
  environment: 'production' | 'staging'
  /** All scopes of this version. */
  scopes: readonly Scope[]
  /** The types of events of this version. */
  eventTypes: EventTypes
}

/** Of a verb that commands use too: without an actor, all is allowed. */
export type CallerContext = Context & { actor?: Actor | undefined }

/** What a running service adds. */
export type ServiceContext = Context & {
  /** The log of events as it grows. */
  feed: EventFeed
  /** Logs damaged rows that readers pass over, each once. */
  passOver(damaged: readonly DamagedRow[]): void
  /** The tables that the store must have. */
  tables: readonly string[]
  /** Where webhooks may be sent. */
  targets: Targets
  /** Opens a temporary file. Throws `unavailable`. */
  openSpool(): Spool
  /** Whether the process is about to end. */
  isStopping(): boolean
  /** Whether another process of this machine serves in its place. */
  isReplaced(): boolean
  /** How many requests each key may send that has no limit of its own. */
  rateLimit: { perSecond: number | undefined; burst: number | undefined }
  /** How long a pending order holds its pet; undefined, until it is shipped or cancelled. */
  orderHoldMs: number | undefined
  logLimits: LogLimits
}

/** What a request adds: its caller, unless its operation is public. */
export type RequestContext<Caller = Actor | undefined> = ServiceContext & { actor: Caller }

/** Of a stream: the caller as its key is now. Throws the 401 codes, `unavailable`. */
export type StreamContext = RequestContext<Actor> & { callerNow(): Actor | Promise<Actor> }

/** Of a file: aborted once the response is sent, or its client has left. */
export type FileContext = RequestContext<Actor> & { ended: AbortSignal }

/** A stream of events: where it begins, what of the log it shows, and for whom. */
export type Following = {
  /** Absent, it begins with the next event. */
  after: bigint | undefined
  /** Absent, all that the caller may read. */
  types?: readonly string[] | undefined
  record?: string | undefined
  recordId?: bigint | undefined
  callerNow(): Actor | Promise<Actor>
}

/** Who has seen the events up to a position from `oldest` to `newest` can be told what follows. */
export type LogPositions = { oldest: bigint; newest: bigint }

export type EventFeed = {
  /** Ends when the key of the caller does. Throws `unavailable` where too many streams are open. */
  follow(following: Following): StreamContent
  /** How many streams are open. */
  streams(): number
  positions(): Promise<LogPositions>
  /** An event's JSON text, and the span in which it was made (W3C Trace Context); undefined where it is deleted or damaged. */
  find(id: bigint): Promise<{ text: string; traceparent: string | undefined } | undefined>
}

/** Decides where webhooks may be sent. */
export type Targets = {
  /** Why webhooks may not be sent to an address now; undefined where they may. A sentence for people. */
  findFault(address: string): Promise<string | undefined>
}

// The module node:crypto would be a fifth of the start of a command over HTTP.
export const systemRandom: Random = (count) => crypto.getRandomValues(new Uint8Array(count))

/** The sources of a clock, in milliseconds: the time of day since 1970, and the monotonic clock. */
type TimeSources = { wall(): number; monotonic(): number }

export type ClockOptions = {
  /** The time at the start; the time of day when absent. */
  startMs?: number | undefined
  sources?: TimeSources
  /** Called once when the time of day was set back, with the milliseconds. */
  onSetBack?(ms: number): void
}

/** The time of day of the machine, for the log. */
export const timeOfDay: Clock = dateNow

const systemSources: TimeSources = { wall: timeOfDay, monotonic: () => performance.now() }

/** `onSetBack` is called for more than this; smaller corrections of the time of day are normal. */
const setBackMinMs = 1_000

/**
 * A clock that never goes back. It follows the time of day; once that is set back, it follows the monotonic clock, so
 * that durations stay right.
 */
export function createClock({
  startMs,
  sources: { wall, monotonic } = systemSources,
  onSetBack,
}: ClockOptions = {}): Clock {
  const offsetMs = startMs === undefined ? 0 : startMs - wall()
  let anchorMs = Number.NEGATIVE_INFINITY
  let anchoredAtMs = 0
  let isReported = false

  return () => {
    const shownMs = wall() + offsetMs
    const nowMs = monotonic()
    const leastMs = anchorMs + nowMs - anchoredAtMs
    if (shownMs < leastMs) {
      if (!isReported && leastMs - shownMs > setBackMinMs) {
        isReported = true
        onSetBack?.(Math.round(leastMs - shownMs))
      }
      return Math.floor(leastMs)
    }
    anchorMs = shownMs
    anchoredAtMs = nowMs
    return shownMs
  }
}

export const systemClock: Clock = createClock()
