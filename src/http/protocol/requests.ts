import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type Connection,
  connectionOf,
  dropFinished,
  type Share,
  type Waiting,
} from './connection.ts'
import { pauseReading, resumeReading, stopParserWhere } from './reading.ts'

/** The maximum of requests of one connection in progress; the next one waits until these are answered, and reading stops. */
const requestsMax = 16
/** The maximum of requests of all connections in progress, besides the first of each connection. */
const pipelinedMax = 64
/**
 * How many requests begin in a turn on connections whose last key was missing or wrong. The others of them wait in line, one
 * of each connection, so that a flood of wrong keys waits for itself alone.
 */
const refusedPerTurn = 4
const turnMs = 1

/**
 * How many requests of one key are in progress while other keys send some too. The others of its connections wait in line, so
 * that the key that sends most waits for itself.
 */
const runningMax = 32
/** After so many requests of one key in a row it has the service for itself. */
const inRowMax = 1_000

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type Requests = ReturnType<typeof createRequests>

/** Passes the requests of each connection to the handler, a few at a time, in order of arrival. */
export function createRequests() {
  let isHolding = false
  let waited = 0
  let pipelined = 0
  let begun = 0
  /** In the order in which their requests began to wait for a turn. */
  const inLine = new Set<Connection>()
  const shares = new Map<bigint, Share>()
  let lastKeyId: bigint | undefined
  let inRow = inRowMax

  /** Handles the waiting request and reads on, once the earlier requests are answered. */
  function proceed(connection: Connection) {
    const { socket, responses, waiting, unparsed } = connection
    dropFinished(connection)
    if (!waiting || responses.length > 1 || isHolding || socket.destroyed) return
    if (!takesTurn(connection)) return
    connection.waiting = undefined
    connection.unparsed = undefined
    waiting.begin()
    resumeReading(socket, waiting.response, unparsed)
  }

  /** Returns false where the connection has to wait in line. */
  function takesTurn(connection: Connection): boolean {
    if (!connection.isRefused) return entersShare(connection)
    if (begun === 0) setTimeout(beginTurn, turnMs)
    if (begun === refusedPerTurn) inLine.add(connection)
    else begun += 1
    return !inLine.has(connection)
  }

  function beginTurn() {
    begun = 0
    for (const connection of inLine) {
      if (begun === refusedPerTurn) return
      inLine.delete(connection)
      proceed(connection)
    }
  }

  const isFull = ({ running }: Share) => running >= runningMax && inRow < inRowMax

  /** Returns false where the connection has to wait in the line of its key. */
  function entersShare(connection: Connection): boolean {
    const { keyId } = connection
    if (keyId === undefined) return true
    if (keyId === lastKeyId) inRow += 1
    else {
      if (lastKeyId !== undefined) inRow = 0
      lastKeyId = keyId
    }
    let share = shares.get(keyId)
    if (!share) {
      share = { running: 0, inLine: new Set() }
      shares.set(keyId, share)
    }
    if (isFull(share)) {
      share.inLine.add(connection)
      return false
    }
    share.running += 1
    connection.share = share
    return true
  }

  function leaveShare(connection: Connection) {
    const { share } = connection
    if (!share) return
    connection.share = undefined
    share.running -= 1
    // In another turn of the event loop, so that connections of other keys are served in between.
    if (share.inLine.size > 0) setImmediate(beginInLine, share)
  }

  function beginInLine(share: Share) {
    for (const connection of share.inLine) {
      if (isFull(share)) return
      share.inLine.delete(connection)
      proceed(connection)
    }
  }

  function wait(connection: Connection, waiting: Waiting) {
    const { responses } = connection
    waited += 1
    connection.waiting = waiting
    // In another turn of the event loop, so that other connections are served in between.
    responses.at(-2)?.once('finish', () => setImmediate(proceed, connection))
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
      connection.leaveShare = () => leaveShare(connection)
    },

    /** Uncounts the requests of a closed connection; their responses may never finish. */
    forget(connection: Connection): void {
      inLine.delete(connection)
      if (connection.keyId !== undefined) shares.get(connection.keyId)?.inLine.delete(connection)
      leaveShare(connection)
      pipelined -= connection.pipelined
      connection.pipelined = 0
    },

    /** Handles a request now, or once the earlier requests of its connection are answered. */
    take(
      connection: Connection,
      handle: Handler,
      request: IncomingMessage,
      response: ServerResponse,
    ): void {
      const { responses, canWait, socket } = connection
      dropFinished(connection)
      responses.push(response)
      const isPipelined = responses.length > 1
      const isTooMany = responses.length > requestsMax || pipelined >= pipelinedMax
      const isEarly =
        isHolding || (isPipelined ? isTooMany || connection.isRefused : !takesTurn(connection))
      if (isEarly && canWait && pauseReading(socket, response)) {
        wait(connection, { request, response, begin: () => handle(request, response) })
      } else {
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

/** Keeps the bytes that were read behind a waiting request. */
export function keepUnparsed(socket: Duplex, bytes: Buffer | undefined): void {
  connectionOf(socket).unparsed = bytes
}

/** Stops reading requests of a connection; returns its last responses, in order. */
export function refuseFurther(socket: Duplex): readonly ServerResponse[] {
  const connection = connectionOf(socket)
  connection.isEnding = true
  // A request without a readable body is not started.
  if (connection.waiting?.request.complete === false) connection.waiting = undefined
  return connection.responses
}
