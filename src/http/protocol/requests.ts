import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Connection,
  dropFinished,
  type Handler,
  type Line,
  pauseReading,
  resumeReading,
  type Share,
  stopParserWhere,
} from './connection.ts'

/** The maximum of requests of one connection in progress; the next one waits until these are answered, and reading stops. */
const requestsMax = 16
/** The maximum of requests of all connections in progress, besides the first of each connection. */
const pipelinedMax = 64
/**
 * How many requests begin in a turn on connections whose last key was missing or wrong. The others of them wait in line, one
 * of each connection, so that a flood of wrong keys waits for itself alone.
 */
const refusedPerTurn = 2
const turnMs = 1

/**
 * How many requests of all keys are in progress, in equal shares, while several keys send some. The others of a key's
 * connections wait in line, so that the key that sends most waits for itself.
 */
const runningMax = 64
/** How many of one key are in progress at least, however many keys send some. */
const shareMin = 8
/** The keys of so many last requests, and up to as many before, share: few enough to forget a key that asks now and then. */
const windowSize = 128
/** After so many requests of one key in a row it has the service for itself … */
const inRowMax = 1_000
/** … and this many in progress: with more, each turn of the event loop would delay health and new keys for longer. */
const aloneMax = 256
/** A line has no more requests … */
const lineMax = 1_000
/** … and none that has waited longer: its client may have given up. */
const lineMaxMs = 1_000
const lineCheckEveryMs = 100

export type Requests = ReturnType<typeof createRequests>

type RequestsOptions = {
  /** Whether a request passes all lines. */
  isProbe(request: IncomingMessage): boolean
  /** Responds to a request that cannot begin in time. */
  refuse: Handler
}

/** Passes the requests of each connection to the handler, a few at a time, in order of arrival. */
export function createRequests({ isProbe, refuse }: RequestsOptions) {
  let isHolding = false
  let waited = 0
  let pipelined = 0
  let begun = 0
  /** The connections whose last key was wrong. */
  const refusedLine: Line = new Map()
  const shares = new Map<bigint, Share>()
  let isChecking = false
  let lastKeyId: bigint | undefined
  let inRow = inRowMax
  let windowKeys = new Set<bigint>()
  let windowKeysBefore = 0
  let windowLength = 0

  /** Handles the waiting request and reads on, once the earlier requests are answered. */
  function proceed(connection: Connection) {
    const { socket, responses, waiting } = connection
    dropFinished(connection)
    if (!waiting || responses.length > 1 || isHolding || socket.destroyed) return
    if (takesTurn(connection, waiting.req)) respond(connection, connection.handle)
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

  /** Returns false where the request has to wait in line. */
  function takesTurn(connection: Connection, request: IncomingMessage): boolean {
    if (!connection.isRefused) return entersShare(connection, request)
    if (begun === 0) setTimeout(beginTurn, turnMs)
    if (isTurnFull()) return !enterLine(refusedLine, connection, request)
    begun += 1
    return true
  }

  const isTurnFull = () => begun >= refusedPerTurn

  function beginTurn() {
    begun = 0
    beginInLine(refusedLine, isTurnFull)
  }

  /** Begins the requests that have waited longest, until no more may begin. */
  function beginInLine(line: Line, isFull: () => boolean) {
    for (const connection of line.keys()) {
      if (isFull()) return
      line.delete(connection)
      proceed(connection)
    }
  }

  /** Returns false where the request has to wait in the line of its key. */
  function entersShare(connection: Connection, request: IncomingMessage): boolean {
    const { keyId } = connection
    if (keyId === undefined) return true
    if (keyId === lastKeyId) inRow += 1
    else {
      if (lastKeyId !== undefined) inRow = 0
      lastKeyId = keyId
    }
    let share = shares.get(keyId)
    if (!share) {
      share = { keyId, running: 0, inLine: new Map(), leave: leaveShare }
      shares.set(keyId, share)
    }
    if (isFull(share)) return !enterLine(share.inLine, connection, request)
    countKey(keyId)
    share.running += 1
    connection.share = share
    return true
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

  function leaveShare(connection: Connection) {
    const { share } = connection
    if (!share) return
    connection.share = undefined
    share.running -= 1
    // In another turn of the event loop, so that connections of other keys are served in between.
    if (share.inLine.size > 0) setImmediate(beginInShare, share)
    else dropIdle(share)
  }

  function dropIdle({ keyId, running, inLine }: Share) {
    if (running === 0 && inLine.size === 0) shares.delete(keyId)
  }

  function beginInShare(share: Share) {
    beginInLine(share.inLine, () => isFull(share))
    dropIdle(share)
  }

  /** Returns whether the request is in the line: a probe is not. */
  function enterLine(line: Line, connection: Connection, request: IncomingMessage): boolean {
    if (isProbe(request)) return false
    line.set(connection, performance.now())
    if (line.size > lineMax) setImmediate(refuseLate, line)
    checkLater()
    return true
  }

  function checkLater() {
    if (!isChecking) setTimeout(refuseAllLate, lineCheckEveryMs).unref()
    isChecking = true
  }

  function refuseAllLate() {
    isChecking = false
    for (const line of [refusedLine, ...shares.values().map(({ inLine }) => inLine)]) {
      refuseLate(line)
      if (line.size > 0) checkLater()
    }
  }

  /** Refuses the requests that have waited longest: beyond the maximum of the line, and too long. */
  function refuseLate(line: Line) {
    const lateMs = performance.now() - lineMaxMs
    for (const [connection, sinceMs] of line) {
      if (sinceMs > lateMs && line.size <= lineMax) return
      line.delete(connection)
      respond(connection, refuse)
    }
  }

  function wait(connection: Connection, response: ServerResponse) {
    waited += 1
    connection.waiting = response
    const before = connection.responses.at(-2)
    // In another turn of the event loop, so that other connections are served in between.
    before?.once('finish', () => setImmediate(proceed, connection))
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
    /** Stops reading the connection until its waiting request is handled. */
    watch(connection: Connection): void {
      const isWaiting = () => connection.waiting !== undefined
      connection.canWait = stopParserWhere(connection.socket, isWaiting)
    },

    /** Uncounts the requests of a closed connection; their responses may never finish. */
    forget(connection: Connection): void {
      refusedLine.delete(connection)
      const share = connection.keyId === undefined ? undefined : shares.get(connection.keyId)
      if (share?.inLine.delete(connection)) dropIdle(share)
      leaveShare(connection)
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
        (isPipelined ? isTooMany || connection.isRefused : !takesTurn(connection, request))
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
