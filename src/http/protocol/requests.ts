import type { IncomingMessage, ServerResponse } from 'node:http'
import { timers } from '../../timers.ts'
import {
  type Connection,
  dropFinished,
  type Handler,
  pauseReading,
  resumeReading,
} from './connection.ts'

/** The maximum of requests of one connection in progress; the next one waits until these are answered, and reading stops. */
const requestsMax = 16
/** The maximum of requests of all connections in progress, besides the first of each connection. */
const pipelinedMax = 64
/**
 * How many requests begin in a turn on connections whose last key was missing or wrong. The others wait in line, one of each
 * connection, so that a flood of wrong keys delays itself alone.
 */
const wrongKeysPerTurn = 2
const turnMs = 1

/** The requests of all keys in progress, in equal shares, while several keys send some. */
const runningMax = 64
/** The least share of a key, however many keys send some. */
const shareMin = 8
/** The keys of the last requests have shares: of this many to twice as many, so that a key that sends few is soon forgotten. */
const windowSize = 128
/** A key that has sent more requests in a row than this is alone … */
const inRowMax = 1_000
/** … and may have this many in progress: more would delay health and new keys in each turn of the event loop. */
const aloneMax = 256
/** The most requests in a line; beyond it the oldest is refused. */
const lineMax = 1_000
/** The longest wait in a line: later, the client may have given up. */
const lineMaxMs = 1_000

export type Requests = ReturnType<typeof createRequests>

type RequestsOptions = Pick<LineOptions, 'isProbe'> & {
  /** Responds to a request that cannot begin in time. */
  refuse: Handler
}

/** Passes the requests of each connection to the handler, a few at a time, in order of arrival. */
export function createRequests({ isProbe, refuse }: RequestsOptions) {
  let isHolding = false
  let waited = 0
  let pipelined = 0
  const lines = {
    isProbe,
    begin: proceed,
    refuse: (connection: Connection) => respond(connection, refuse),
  }
  const wrongKeys = createWrongKeys(lines)
  const shares = createShares(lines)

  /** Handles the waiting request and reads on, once the earlier requests are answered. */
  function proceed(connection: Connection) {
    const { socket, responses, waiting } = connection
    dropFinished(connection)
    if (!waiting || responses.length > 1 || isHolding || socket.destroyed) return
    if (enters(connection, waiting.req)) respond(connection, connection.handle)
  }

  /** Returns false where the request has to wait in line. */
  function enters(connection: Connection, request: IncomingMessage): boolean {
    return (connection.isUnauthorized ? wrongKeys : shares).enter(connection, request)
  }

  /** Responds to the waiting request in this way, and reads on. */
  function respond(connection: Connection, act: Handler) {
    const { socket, waiting, unparsed } = connection
    if (!waiting) return
    connection.waiting = undefined
    connection.unparsed = undefined
    act(waiting.req, waiting)
    resumeReading(socket, waiting, unparsed)
  }

  function wait(connection: Connection, response: ServerResponse) {
    waited += 1
    connection.waiting = response
    const before = connection.responses.at(-2)
    // In another turn of the event loop, so that other connections are served in between.
    before?.once('finish', () => timers.setImmediate(proceed, connection))
  }

  /** Counts a pipelined request until it is answered. */
  function count(connection: Connection, response: ServerResponse) {
    connection.pipelined += 1
    pipelined += 1
    response.once('finish', () => {
      if (connection.pipelined === 0) return
      connection.pipelined -= 1
      pipelined -= 1
    })
  }

  return {
    /** Uncounts the requests of a closed connection; their responses may never finish. */
    forget(connection: Connection): void {
      wrongKeys.forget(connection)
      shares.forget(connection)
      pipelined -= connection.pipelined
      connection.pipelined = 0
    },

    /** Handles a request now, or once the earlier requests of its connection are answered. */
    take(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
      const { responses, canWait, socket, handle } = connection
      dropFinished(connection)
      responses.push(response)
      const isPipelined = responses.length > 1
      const isTooMany = responses.length > requestsMax || pipelined >= pipelinedMax
      const isEarly =
        isHolding ||
        (isPipelined ? isTooMany || connection.isUnauthorized : !enters(connection, request))
      if (isEarly && canWait && pauseReading(socket, response)) wait(connection, response)
      else {
        if (isPipelined) count(connection, response)
        handle(request, response)
      }
    },

    /** How many requests have waited so far. */
    waited: () => waited,

    /** Holds further requests back. */
    hold(): void {
      isHolding = true
    },

    /** Handles the requests that waited. */
    release(connections: Iterable<Connection>): void {
      isHolding = false
      for (const connection of connections) proceed(connection)
    },
  }
}

/** Begins a few requests in each turn, on connections whose last key was missing or wrong. */
function createWrongKeys(options: LineOptions) {
  let begun = 0
  const isFull = () => begun >= wrongKeysPerTurn
  const line = new Line(options)

  function beginTurn() {
    begun = 0
    line.beginUntil(isFull)
  }

  return {
    /** Returns false where the request has to wait in line. */
    enter(connection: Connection, request: IncomingMessage): boolean {
      if (begun === 0) timers.setTimeout(beginTurn, turnMs)
      if (isFull()) return !line.enter(connection, request)
      begun += 1
      return true
    },
    forget: (connection: Connection) => line.leave(connection),
  }
}

/** How many requests of a key are in progress, and those that wait for them. */
type Share = { running: number; line: Line; leave(connection: Connection): void }

/**
 * Shares the requests in progress among keys. The others of a key's connections wait in line, so that the key that sends
 * most waits for itself.
 */
function createShares(options: LineOptions) {
  const shares = new Map<bigint, Share>()
  let lastKeyId: bigint | undefined
  let inRow = inRowMax
  let windowKeys = new Set<bigint>()
  let windowKeysBefore = 0
  let windowLength = 0

  function countInRow(keyId: bigint) {
    if (keyId === lastKeyId) inRow += 1
    else if (lastKeyId !== undefined) inRow = 0
    lastKeyId = keyId
  }

  function countKey(keyId: bigint) {
    windowKeys.add(keyId)
    windowLength += 1
    if (windowLength < windowSize) return
    windowKeysBefore = windowKeys.size
    windowKeys = new Set()
    windowLength = 0
  }

  function isFull({ running }: Share): boolean {
    if (inRow >= inRowMax) return running >= aloneMax
    // A key that has sent all of them leaves room for another.
    const keys = Math.max(2, windowKeys.size, windowKeysBefore)
    return running >= Math.max(shareMin, runningMax / keys)
  }

  function openShare(keyId: bigint): Share {
    const share: Share = {
      running: 0,
      line: new Line(options),
      leave(connection) {
        connection.share = undefined
        share.running -= 1
        // In another turn of the event loop, so that connections of other keys are served in between.
        if (!share.line.isEmpty)
          timers.setImmediate(() => share.line.beginUntil(() => isFull(share)))
        else if (share.running === 0) shares.delete(keyId)
      },
    }
    shares.set(keyId, share)
    return share
  }

  return {
    /** Returns false where the request has to wait in the line of its key. */
    enter(connection: Connection, request: IncomingMessage): boolean {
      const { keyId } = connection
      if (keyId === undefined) return true
      countInRow(keyId)
      const share = shares.get(keyId) ?? openShare(keyId)
      if (isFull(share)) return !share.line.enter(connection, request)
      countKey(keyId)
      share.running += 1
      connection.share = share
      return true
    },

    /** Removes a closed connection from where it waits or counts. */
    forget(connection: Connection): void {
      const { keyId } = connection
      if (keyId !== undefined) shares.get(keyId)?.line.leave(connection)
      connection.share?.leave(connection)
    },
  }
}

/** What becomes of requests that wait. */
type LineOptions = {
  /** Whether a request passes all lines. */
  isProbe(request: IncomingMessage): boolean
  /** Begins the waiting request of a connection. */
  begin(connection: Connection): void
  /** Refuses it. */
  refuse(connection: Connection): void
}

/** Connections whose request waits to begin, in order of arrival. Those that wait too long are refused. */
class Line {
  readonly #timers = new Map<Connection, NodeJS.Timeout>()
  readonly #options: LineOptions

  constructor(options: LineOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#timers.size === 0
  }

  /** Returns whether the request is in the line: a probe is not. */
  enter(connection: Connection, request: IncomingMessage): boolean {
    if (this.#options.isProbe(request)) return false
    // It may be in the line already, where requests were held.
    timers.clearTimeout(this.#timers.get(connection))
    this.#timers.set(
      connection,
      timers.setTimeout(() => this.#refuse(connection), lineMaxMs),
    )
    if (this.#timers.size > lineMax) timers.setImmediate(() => this.#refuseOldest())
    return true
  }

  leave(connection: Connection): void {
    timers.clearTimeout(this.#timers.get(connection))
    this.#timers.delete(connection)
  }

  /** Begins the requests that have waited longest, until no more may begin. */
  beginUntil(isFull: () => boolean): void {
    for (const connection of this.#timers.keys()) {
      if (isFull()) return
      this.leave(connection)
      this.#options.begin(connection)
    }
  }

  #refuse(connection: Connection) {
    this.leave(connection)
    this.#options.refuse(connection)
  }

  #refuseOldest() {
    const [oldest] = this.#timers.keys()
    if (oldest && this.#timers.size > lineMax) this.#refuse(oldest)
  }
}
