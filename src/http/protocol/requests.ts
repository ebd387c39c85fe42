import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Connection, connectionOf, dropFinished, type Waiting } from './connection.ts'

/** The maximum of requests of one connection in progress; more of them wait, and reading stops. */
const requestsMax = 16

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type Requests = ReturnType<typeof createRequests>

/** Passes the requests of each connection to the handler, a few at a time, in order of arrival. */
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
    /** Handles a request now, or after enough earlier requests of its connection. */
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

/** Stops reading requests of a connection; returns its last responses, in order. */
export function refuseFurther(socket: Duplex): readonly ServerResponse[] {
  const connection = connectionOf(socket)
  connection.isEnding = true
  // A request without a readable body is not started.
  const { waiting } = connection
  if (waiting.at(-1)?.request.complete === false) waiting.pop()
  return connection.responses
}

/**
 * More than a connection's high-water mark. Node stops reading at the next request while so many bytes wait to be sent.
 * Calling pause() would not last: Node resumes the socket.
 */
const pauseBytes = 2 ** 30

type Counted = { _onPendingData(bytes: number): void }

function pauseReading(response: ServerResponse) {
  ;(response as unknown as Counted)._onPendingData(pauseBytes)
}

function resumeReading(response: ServerResponse) {
  ;(response as unknown as Counted)._onPendingData(-pauseBytes)
}
