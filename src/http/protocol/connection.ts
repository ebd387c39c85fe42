import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { endPolitely } from './end-politely.ts'

/** A request that waits for its handler. */
export type Waiting = { request: IncomingMessage; response: ServerResponse; begin(): void }

/** An open connection and its requests. */
export type Connection = {
  readonly socket: Socket
  readonly acceptedMs: number
  /** In the order of their requests. Finished responses are dropped when the next request arrives. */
  readonly responses: ServerResponse[]
  /** How many of its requests in progress began before an earlier one was answered. */
  pipelined: number
  /** Whether this Node can let a request wait. */
  canWait: boolean
  /** A request that waits; its response is the last of `responses`, and nothing behind it is parsed. */
  waiting: Waiting | undefined
  /** The bytes read behind the waiting request, its body included. */
  unparsed: Buffer | undefined
  /** The connection is beyond the maximum. */
  readonly isExtra: boolean
  /** The last request has arrived; later bytes are not parsed. */
  isEnding: boolean
  /** The response that the client has not fully read, and since when. */
  unread: { response: object; sinceMs: number } | undefined
}

const connectionKey = Symbol('connection')
type Known = { [connectionKey]?: Connection }

export function createConnection(socket: Socket, isExtra: boolean): Connection {
  const connection: Connection = {
    socket,
    acceptedMs: performance.now(),
    responses: [],
    pipelined: 0,
    canWait: false,
    waiting: undefined,
    unparsed: undefined,
    isExtra,
    isEnding: false,
    unread: undefined,
  }
  ;(socket as Known)[connectionKey] = connection
  return connection
}

export function connectionOf(socket: Duplex): Connection {
  const connection = (socket as Known)[connectionKey]
  if (!connection) throw new Error('This connection was not accepted by the server.')
  return connection
}

/** Drops responses whose last byte was handed to the kernel. */
export function dropFinished({ responses }: Connection): void {
  while (responses[0]?.writableFinished) responses.shift()
}

export function isWorkedOn({ responses, waiting }: Connection): boolean {
  const first = responses.find(({ writableFinished }) => !writableFinished)
  return first !== undefined && first !== waiting?.response
}

/** Makes this response the last of its connection, with `Connection: close`. Call it before the headers are sent. */
export function endAfter(connection: Connection, response: ServerResponse): void {
  const { socket } = connection
  connection.isEnding = true
  response.shouldKeepAlive = false
  // Node calls this after the last response. Node's own version resets a client that is still sending.
  socket.destroySoon = () => endPolitely(socket)
}
