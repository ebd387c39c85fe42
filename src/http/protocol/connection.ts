import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../../contract/service-error.ts'
import { performance, timers } from '../../timers.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** How long a client may send after the last response: closing immediately could lose that response. */
const lingerMaxMs = 1_000

/**
 * An open connection. It is
 * - idle, while all its requests are answered and no header block is complete: it waits for a request, for
 *   PETSTORE_HEADERS_TIMEOUT_MS from its first byte on, and may be closed for a new connection;
 * - busy, from a complete header block until the last response is handed to the operating system;
 * - ending, from the moment when its last response is decided: further requests are ignored.
 */
export class Connection {
  readonly server: Server
  readonly socket: Socket
  readonly handle: Handler
  /** How many requests have no response that is sent to its end. */
  unanswered = 0
  /** Responses whose requests have not begun: too many before them are unanswered. */
  readonly waiting: ServerResponse[] = []
  /** The last response, until it is sent and its request has arrived. */
  last: ServerResponse | undefined
  idleSinceMs = performance.now()
  /** How many bytes had been read when the connection became idle. */
  bytesAtRest = 0
  /** Whether a request has shown a valid key. */
  isKeyed = false
  /** The connection is beyond the maximum. */
  isExtra = false
  /** Its only request is refused. */
  isRefused = false
  isEnding = false
  /** While bytes wait to be sent: how many were sent before, and since when. */
  unread: { movedBytes: number; sinceMs: number } | undefined
  /** The request whose body arrives: its begin, and how many bytes had been read at a later time. */
  receiving: Receiving | undefined

  constructor(server: Server, socket: Socket, handle: Handler) {
    this.server = server
    this.socket = socket
    this.handle = handle
    ;(socket as Known)[connectionKey] = this
  }

  get isIdle(): boolean {
    return this.unanswered === 0
  }

  /** Whether a header block or a body is to arrive. */
  get isReceiving(): boolean {
    return this.isIdle || this.last?.req.complete === false
  }

  /** Whether a part of a header block has arrived. */
  get isSending(): boolean {
    return this.socket.bytesRead > this.bytesAtRest
  }
}

type Receiving = {
  request: IncomingMessage
  beganMs: number
  sinceMs: number
  bytesRead: number
}

const connectionKey = Symbol('connection')
type Known = { [connectionKey]?: Connection }

export function connectionOf(socket: Duplex): Connection {
  const connection = (socket as Known)[connectionKey]
  if (!connection) throw new Error('This connection was not accepted by the server.')
  return connection
}

/** Records that a request on this connection had a valid key. Injected requests have no connection. */
export function markKeyed(socket: Duplex): void {
  const connection = (socket as Known)[connectionKey]
  if (connection) connection.isKeyed = true
}

/** Throws `unavailable` for a request on a connection beyond the maximum. */
export function requireSlot({ socket }: IncomingMessage): void {
  if ((socket as Known)[connectionKey]?.isRefused)
    throw new ServiceError(
      'unavailable',
      'Too many connections are open. Send the request again later, or keep fewer of them.',
    )
}

/** Makes this response the last of its connection, with `Connection: close`. Call it before the headers are sent. */
export function endAfter(connection: Connection, response: ServerResponse): void {
  const { socket } = connection
  connection.isEnding = true
  response.setHeader('connection', 'close')
  // Node calls this after the last response. Its own version resets a client that is still sending.
  socket.destroySoon = () => endPolitely(socket)
}

/**
 * Closes a connection so that the client can read all responses, even while it is still sending: what it sends is read, and
 * ignored since the connection is ending.
 */
export function endPolitely(socket: Duplex, lastBytes = ''): void {
  if (!socket.writable) return void socket.destroy()
  socket.once('finish', () => {
    const late = timers.setTimeout(() => socket.destroy(), lingerMaxMs)
    socket.once('close', () => timers.clearTimeout(late))
  })
  socket.end(lastBytes)
  socket.resume()
}
