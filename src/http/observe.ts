import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Actor } from '../context/context.ts'
import { errorKindOf } from '../contract/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import type { ServiceError } from '../contract/service-error.ts'
import type { Origin } from '../db/db.ts'
import type { CommitReport, CommitTimes, CommittedBatch } from '../db/on-commit.ts'
import { performance } from '../timers.ts'

/** Where a request belongs, by the ids of W3C Trace Context. */
type Trace = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  isSampled: boolean
}

/** Sees all requests, also those that no operation or no parser accepts. */
export type Observer = {
  started?(request: Observation): void
  /**
   * Called once for each request: when the client has taken the response, or the connection is closed and the service
   * has done what was asked for.
   */
  ended?(request: Observation): void
  /** Called with what the database reports of each commit, of requests and of others. */
  committed?(report: CommitReport): void
  /** Called with the age of each event that the feed reads while there are streams, in milliseconds. */
  eventRead?(ageMs: number): void
  /** Called with what came of each attempt to deliver a webhook; `pending`: it is attempted again. */
  webhookAttempted?(status: 'pending' | 'succeeded' | 'failed'): void
}

type Reply = { raw: ServerResponse; sent: boolean }

export type Observers = NonNullable<ReturnType<typeof createObservers>>

const observationKey = Symbol('observation')
type Carrier = { [observationKey]?: Observation | undefined }

/** The observation of the request of this response; undefined where nothing observes. */
export function observationOf(response: ServerResponse): Observation | undefined {
  return (response as Carrier)[observationKey]
}

/** The origin of a request's writes. It carries the observation by a symbol, which is not copied to the writer's thread. */
export function originOf(origin: Origin, observation: Observation | undefined): Origin {
  if (observation) (origin as Carrier)[observationKey] = observation
  return origin
}

/** Adds the times of a commit to the requests whose inputs it stored. */
export function observeCommit(batch: CommittedBatch): void {
  for (const origin of batch.origins)
    (origin as Carrier | undefined)?.[observationKey]?.addCommit(batch)
}

/** Calls all observers that have this method. Undefined where none has: then nothing is measured for it. */
export function reportTo<Method extends 'committed' | 'eventRead' | 'webhookAttempted'>(
  observers: readonly Observer[],
  method: Method,
): Observer[Method] {
  const observing = observers.filter((observer) => observer[method])
  if (observing.length === 0) return undefined
  const report = (observed: never) => {
    for (const observer of observing) observer[method]?.(observed)
  }
  return report as Observer[Method]
}

/** Undefined without observers: then nothing is measured. */
export function createObservers(observers: readonly Observer[]) {
  if (observers.length === 0) return undefined
  return {
    /** Observes a request until it ends. */
    begin(id: string, request: IncomingMessage, reply: Reply): Observation {
      const observation = new Observation(observers, id, request.socket, request, reply)
      ;(reply.raw as Carrier)[observationKey] = observation
      reply.raw.on('close', close)
      return observation
    },
    /** Observes the start and the end of a request that was refused before it reached a route. */
    refuse(id: string, socket: Duplex, error: ServiceError): void {
      new Observation(observers, id, socket, undefined).refuse(error)
    },
  }
}

/** One function for all responses: a closure for each costs more. */
function close(this: ServerResponse) {
  observationOf(this)?.close()
}

/**
 * A request as observers see it. Members are undefined until they are known; the timings, in milliseconds, are computed when
 * they are read, and complete at the end.
 */
export class Observation {
  readonly id: string
  readonly socket: Duplex
  /** Absent where the bytes could not be parsed as a request. */
  readonly request: IncomingMessage | undefined
  operation: Operation | undefined
  /** Known once the key is checked. */
  caller: Actor | undefined
  /** The status of the response, whether or not the client was still there to get it. */
  status: number | undefined
  error: ServiceError | undefined
  /** Whether the connection was closed before the client had taken the response. */
  isCut = false
  /** Of the last batch that stored a write of it: one object for all its requests. */
  commit: CommitTimes | undefined
  /** Set at the start by an observer that traces. */
  trace: Trace | undefined
  commitMs = 0
  private readonly observers: readonly Observer[]
  private readonly reply: Reply | undefined
  private readonly startedMs = performance.now()
  private verbBeganMs = 0
  private respondedMs = 0
  private endedMs = 0
  private statementsMs = 0

  constructor(
    observers: readonly Observer[],
    id: string,
    socket: Duplex,
    request: IncomingMessage | undefined,
    reply?: Reply,
  ) {
    this.id = id
    this.socket = socket
    this.request = request
    this.reply = reply
    this.observers = observers
    for (const { started } of observers) started?.(this)
  }

  get totalMs(): number {
    return this.endedMs - this.startedMs
  }

  /** Until the body had arrived. */
  get receiveMs(): number {
    if (!this.operation?.body) return 0
    return (this.verbBeganMs || this.respondedMs || this.endedMs) - this.startedMs
  }

  /** `receiveMs`, and from the last byte of the response until the client had taken it. */
  get clientMs(): number {
    return this.receiveMs + this.endedMs - (this.respondedMs || this.endedMs)
  }

  /** Until the transaction of its write began. */
  get batchMs(): number {
    return this.statementsMs === 0 ? 0 : this.verbMs - this.statementsMs - this.commitMs
  }

  /** Its reads, and the statements of the transaction that it shared. */
  get databaseMs(): number {
    return this.statementsMs || this.verbMs
  }

  /** A verb waits for the database alone. */
  private get verbMs(): number {
    const respondedMs = this.respondedMs || this.endedMs
    return this.verbBeganMs === 0 ? 0 : respondedMs - this.verbBeganMs
  }

  /**
   * The operation begins: all of the request has arrived, but for a streamed body. Without a body that is at the start: what
   * the check of the key waits for is the database too.
   */
  beginVerb(): void {
    this.verbBeganMs = this.operation?.body ? performance.now() : this.startedMs
  }

  addCommit({ commit }: CommittedBatch): void {
    this.commit = commit
    this.statementsMs += commit.statementsMs
    this.commitMs += commit.commitMs
  }

  /** The response is this error. */
  fail(error: ServiceError): void {
    if (this.endedMs === 0) this.error = error
  }

  /** The response is about to be sent. */
  respond(status: number): void {
    if (this.endedMs !== 0) return
    this.status = status
    this.respondedMs = performance.now()
    if (this.isCut) this.end(status)
  }

  /** The response is sent, or its connection closed. Ends the request, unless its operation is still in progress. */
  close(): void {
    if (this.endedMs !== 0 || !this.reply) return
    const { raw, sent } = this.reply
    this.isCut = !raw.writableFinished && this.socket.destroyed
    // Fastify calls no hook for a response that it has not sent itself.
    if (!this.isCut || this.respondedMs !== 0 || sent)
      this.end(raw.headersSent ? raw.statusCode : this.status)
  }

  /** Ends a request whose connection gets this error as its last response. */
  refuse(error: ServiceError): void {
    this.fail(error)
    this.end(errorKindOf(error.code).status)
  }

  end(status: number | undefined): void {
    if (this.endedMs !== 0) return
    this.endedMs = performance.now()
    this.status = status
    for (const { ended } of this.observers) ended?.(this)
  }
}

/** W3C Trace Context: a version, the ids of trace and span, flags. Later versions may have more. */
const traceparentPattern = /^([\da-f]{2})-([\da-f]{32}-[\da-f]{16})-([\da-f]{2})(-.*)?$/
/** All-zero ids, of a trace or of a span, are invalid. */
const isZero = (ids: string) => ids.startsWith('0'.repeat(32)) || ids.endsWith('0'.repeat(16))

/**
 * The `traceparent` that a request continues; undefined where it sent none that is valid. Of a later version it is what
 * version 00 knows: the ids, and whether the trace is sampled.
 */
export function readTraceparent(text: string | string[] | undefined): string | undefined {
  if (typeof text !== 'string') return undefined
  const [, version, ids = '', flags = '', more] = traceparentPattern.exec(text) ?? []
  if (version === undefined || version === 'ff' || isZero(ids)) return undefined
  if (version === '00') return more === undefined ? text : undefined
  return `00-${ids}-0${Number.parseInt(flags, 16) & 1}`
}

/** The span that a request's changes belong to: its own, or, where it is not traced, that of the client. */
export function traceparentOf(
  sent: string | undefined,
  trace: Trace | undefined,
): string | undefined {
  if (trace) return `00-${trace.traceId}-${trace.spanId}-${trace.isSampled ? '01' : '00'}`
  return readTraceparent(sent)
}

/** A UUID, the id of a W3C trace, or a word such as a ULID that does not begin as a key does. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const traceId = /^[\da-f]{32}$/i
const word = /^(?!pet_)[\w-]{1,30}$/i

/**
 * Numbers the requests of this process. A client's `X-Request-Id` is used if it has the form of an identifier, since it is
 * repeated in responses and in the log.
 */
export function createRequestIds(
  prefix: string,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  let count = 0
  return ({ headers }) => {
    const sent = headers['x-request-id']
    if (typeof sent === 'string' && (word.test(sent) || uuid.test(sent) || traceId.test(sent))) {
      return sent
    }
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
