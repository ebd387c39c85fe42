import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Actor } from '../context/context.ts'
import { errorKindOf } from '../contract/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import type { ServiceError } from '../contract/service-error.ts'

/** How long a request took, and what it waited for, in milliseconds. */
type Timings = {
  totalMs: number
  /** Until the body had arrived, and after the response was written until the client had taken it. */
  clientMs: number
}

/** What observers see of a request. What is not known yet is undefined. */
export type Observed = {
  readonly id: string
  readonly socket: Duplex
  /** Absent where the bytes could not be parsed as a request. */
  readonly request: IncomingMessage | undefined
  readonly operation: Operation | undefined
  /** Known once the key is checked. */
  readonly caller: Actor | undefined
  /** The status of the response; a client that was gone by then did not get it. */
  readonly status: number | undefined
  readonly error: ServiceError | undefined
  /** Whether the connection was closed before the client had taken the response. */
  readonly isCut: boolean
  /** Complete at the end. */
  readonly timings: Timings
}

/** Sees all requests, also those that no operation or no parser accepts. */
export type Observer = {
  started?(request: Observed): void
  /**
   * Called once for each request: when the client has taken the response, or the connection is closed and the service
   * has done what was asked for.
   */
  ended?(request: Observed): void
}

type Reply = { raw: ServerResponse; sent: boolean }

export type Observers = {
  /** Observes a request until it ends. */
  begin(id: string, request: IncomingMessage, reply: Reply): Observation
  /** Observes the start and the end of what was refused before it was a request. */
  refuse(id: string, socket: Duplex, error: ServiceError): void
}

const observationKey = Symbol('observation')
type Observable = ServerResponse & { [observationKey]?: Observation }

/** The observation of the request of this response; undefined where nothing observes. */
export function observationOf(response: ServerResponse): Observation | undefined {
  return (response as Observable)[observationKey]
}

/** Undefined without observers: then nothing is measured. */
export function createObservers(observers: readonly Observer[]): Observers | undefined {
  if (observers.length === 0) return undefined
  return {
    begin(id, request, reply) {
      const { raw: response } = reply
      const observation = new Observation(observers, id, request.socket, request)
      ;(response as Observable)[observationKey] = observation
      response.on('finish', () => observation.end(response.statusCode))
      response.on('close', () => observation.cut(reply))
      return observation
    },
    refuse(id, socket, error) {
      new Observation(observers, id, socket, undefined).refuse(error)
    },
  }
}

/** A request in progress. */
export class Observation implements Observed {
  readonly id: string
  readonly socket: Duplex
  readonly request: IncomingMessage | undefined
  operation: Operation | undefined
  caller: Actor | undefined
  status: number | undefined
  error: ServiceError | undefined
  isCut = false
  readonly timings: Timings = { totalMs: 0, clientMs: 0 }
  readonly #observers: readonly Observer[]
  readonly #startedMs = performance.now()
  #answeredMs: number | undefined
  #isEnded = false

  constructor(
    observers: readonly Observer[],
    id: string,
    socket: Duplex,
    request: IncomingMessage | undefined,
  ) {
    this.id = id
    this.socket = socket
    this.request = request
    this.operation = undefined
    this.caller = undefined
    this.status = undefined
    this.error = undefined
    this.#observers = observers
    for (const { started } of observers) started?.(this)
  }

  /** The body has arrived. */
  receive(): void {
    this.timings.clientMs = performance.now() - this.#startedMs
  }

  /** The response is this error. */
  fail(error: ServiceError): void {
    if (!this.#isEnded) this.error = error
  }

  /** The response is about to be sent. */
  answer(status: number): void {
    if (this.#isEnded) return
    this.status = status
    this.#answeredMs = performance.now()
    if (this.isCut) this.end(status)
  }

  /** The connection is closed. Ends the request, unless its operation is still performed. */
  cut({ raw, sent }: Reply): void {
    if (this.#isEnded) return
    this.isCut = true
    const isAnswered = this.#answeredMs !== undefined
    // Fastify calls no hook for a response that it has not sent itself.
    if (isAnswered || sent) this.end(raw.headersSent ? raw.statusCode : this.status)
  }

  /** Ends a request whose connection gets this error as its last response. */
  refuse(error: ServiceError): void {
    this.fail(error)
    this.end(errorKindOf(error.code).status)
  }

  end(status: number | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.status = status
    const nowMs = performance.now()
    this.timings.totalMs = nowMs - this.#startedMs
    this.timings.clientMs += nowMs - (this.#answeredMs ?? nowMs)
    for (const { ended } of this.#observers) ended?.(this)
  }
}
