import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Connection, connectionOf, dropFinished, type Waiting } from './connection.ts'

/** So many requests of one connection are worked on at once; further ones wait, and reading stops. */
const requestsMax = 16

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type Requests = ReturnType<typeof createRequests>

/** Hands the requests of each connection to their handler, a few at once, in the order in which they came. */
export function createRequests() {
  let isHolding = false
  let waited = 0

  function proceed(connection: Connection) {
    const { responses, waiting } = connection
    dropFinished(connection)
    while (waiting.length > 0 && responses.length - waiting.length < requestsMax && !isHolding) {
      const next = waiting.shift()
      next?.begin()
      if (next && waiting.length === 0) resumeReading(next.response)
    }
    if (waiting.length > 0) proceedAfterFirst(connection)
  }

  function proceedAfterFirst(connection: Connection) {
    connection.responses[0]?.once('finish', () => proceed(connection))
  }

  function wait(connection: Connection, next: Waiting) {
    connection.waiting.push(next)
    waited += 1
    if (connection.waiting.length > 1) return
    pauseReading(next.response)
    proceedAfterFirst(connection)
  }

  return {
    /** Works on a request now, or once those before it on its connection are answered. */
    take(
      connection: Connection,
      handle: Handler,
      request: IncomingMessage,
      response: ServerResponse,
    ): void {
      const { responses, waiting } = connection
      dropFinished(connection)
      responses.push(response)
      const isFree = responses.length <= requestsMax && waiting.length === 0 && !isHolding
      if (isFree) handle(request, response)
      else wait(connection, { request, response, begin: () => handle(request, response) })
    },

    /** How many requests have had to wait until now. */
    waited: () => waited,

    /** From now on requests wait. */
    hold(): void {
      isHolding = true
    },

    /** Works on what waited. */
    release(connections: Iterable<Connection>): void {
      isHolding = false
      for (const connection of connections) proceed(connection)
    },
  }
}

/** Takes no more requests of a connection; returns its last responses, in the order of their requests. */
export function refuseFurther(socket: Duplex): readonly ServerResponse[] {
  const connection = connectionOf(socket)
  connection.isEnding = true
  // One whose body cannot be read is not begun any more.
  const { waiting } = connection
  if (waiting.at(-1)?.request.complete === false) waiting.pop()
  return connection.responses
}

/**
 * More than a connection's high-water mark. Node stops reading from a connection, at its next request, while so much
 * waits to be sent on it; a pause of our own would be ended by Node's bookkeeping.
 */
const pauseBytes = 2 ** 30

type Counted = { _onPendingData(bytes: number): void }

function pauseReading(response: ServerResponse) {
  ;(response as unknown as Counted)._onPendingData(pauseBytes)
}

function resumeReading(response: ServerResponse) {
  ;(response as unknown as Counted)._onPendingData(-pauseBytes)
}
