import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { endPolitely } from './end-politely.ts'

/** A request that has not begun to be worked on. */
export type Waiting = { request: IncomingMessage; response: ServerResponse; begin(): void }

/** An open connection and its requests. */
export type Connection = {
  readonly socket: Socket
  readonly acceptedMs: number
  /** In the order of their requests; finished ones are dropped when the next request comes. */
  readonly responses: ServerResponse[]
  /** Their responses are the last of `responses`. */
  readonly waiting: Waiting[]
  /** It is beyond the most that are served at once. */
  readonly isExtra: boolean
  /** Its last request has arrived: what follows is not read as a request. */
  isEnding: boolean
  /** What the client has not taken, and since when that is known. */
  untaken: { answer: object; sinceMs: number } | undefined
}

const connectionKey = Symbol('connection')
type Known = { [connectionKey]?: Connection }

export function createConnection(socket: Socket, isExtra: boolean): Connection {
  const connection: Connection = {
    socket,
    acceptedMs: performance.now(),
    responses: [],
    waiting: [],
    isExtra,
    isEnding: false,
    untaken: undefined,
  }
  ;(socket as Known)[connectionKey] = connection
  return connection
}

export function connectionOf(socket: Duplex): Connection {
  const connection = (socket as Known)[connectionKey]
  if (!connection) throw new Error('This connection was not accepted by the server.')
  return connection
}

/** Forgets responses whose last byte the kernel has taken. */
export function dropFinished({ responses }: Connection): void {
  while (responses[0]?.writableFinished) responses.shift()
}

export function isWorkedOn({ responses, waiting }: Connection): boolean {
  const first = responses.find(({ writableFinished }) => !writableFinished)
  return first !== undefined && first !== waiting[0]?.response
}

/** Lets this response be the last of its connection, with `Connection: close`; its headers are not sent yet. */
export function endAfter(connection: Connection, response: ServerResponse): void {
  const { socket } = connection
  connection.isEnding = true
  response.shouldKeepAlive = false
  // Node calls this after the last response. Its own would reset a client that is still sending.
  socket.destroySoon = () => endPolitely(socket)
}
