import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { performance, timers } from '../../timers.ts'
import { networkOf } from './network.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** How long a connection may be idle between two requests. */
export const keepAliveMs = 72_000
/** How long until a valid key has been shown. */
const unkeyedKeepAliveMs = 5_000
/** Node waits this much longer than `Keep-Alive` says. */
const keepAliveBufferMs = 1_000

/** How long a client may send after the last response: closing immediately could lose that response. */
const lingerMaxMs = 1_000

/** An open connection and its requests. */
export class Connection {
  readonly server: Server
  readonly socket: Socket
  readonly handle: Handler
  /** The address of the client, as `networkOf` has it. */
  readonly network: string
  readonly acceptedMs = performance.now()
  /** In the order of their requests, without finished ones: an idle connection keeps no objects of its last request. */
  readonly responses: ServerResponse[] = []
  /** How many bytes had been read when the last response was sent. */
  bytesAtRest = 0
  /** How many of its requests in progress began before an earlier one was answered. */
  pipelined = 0
  /** Whether this Node can let a request wait: then nothing behind it is parsed. */
  readonly canWait: boolean
  /** The response of a request that waits: the last of `responses`. */
  waiting: ServerResponse | undefined
  /** The bytes read behind the waiting request, its body included. */
  unparsed: Buffer | undefined
  /** Whether a request has shown a valid key. */
  isKeyed = false
  /** Whether the last response was a 401: requests wait for their turn among those of such connections. */
  isUnauthorized = false
  /** The last valid key. */
  keyId: bigint | undefined
  /** Where its request in progress counts, until it has its response, or has become a stream. */
  share: { leave(connection: Connection): void } | undefined
  /** Called at the first valid key. */
  onKeyed: () => void = () => undefined
  /** The connection is beyond the maximum. */
  isExtra = false
  /** The last request has arrived; later bytes are not parsed. */
  isEnding = false
  /** The response that the client has not fully read. `sinceMs`: when it was written; of a stream, when its last byte moved. */
  unread: { response: object; sinceMs: number; movedBytes: number } | undefined
  /** The request whose body the verb reads, and when its last byte arrived. */
  receiving: { request: IncomingMessage; bytesRead: number; sinceMs: number } | undefined

  constructor(server: Server, socket: Socket, handle: Handler) {
    this.server = server
    this.socket = socket
    this.handle = handle
    this.network = networkOf(socket.remoteAddress)
    this.canWait = stopParserWhere(socket, () => this.waiting !== undefined)
    ;(socket as Known)[connectionKey] = this
  }
}

const connectionKey = Symbol('connection')
type Known = { [connectionKey]?: Connection }

export function connectionOf(socket: Duplex): Connection {
  const connection = (socket as Known)[connectionKey]
  if (!connection) throw new Error('This connection was not accepted by the server.')
  return connection
}

const streamed = new WeakMap<object, { unreadMaxMs: number | undefined }>()

/**
 * Records that a response is sent while it is made: its timeout counts from the last byte that moved. It may have a timeout
 * of its own.
 */
export function markStreamed(response: ServerResponse, unreadMaxMs: number | undefined): void {
  streamed.set(response, { unreadMaxMs })
  const connection = (response.req.socket as Known)[connectionKey]
  connection?.share?.leave(connection)
}

export const streamedAs = (response: object) => streamed.get(response)

/**
 * Records that the verb reads the body of a request while it arrives: its timeout counts from the last byte that arrived.
 * Injected requests have no connection.
 */
export function markReceiving(request: IncomingMessage): void {
  const connection = (request.socket as Known)[connectionKey]
  if (!connection) return
  connection.receiving = { request, bytesRead: -1, sinceMs: 0 }
  connection.share?.leave(connection)
}

/** Whether the verb reads the body of a request while it arrives. */
export function isReceiving({ receiving }: Connection): boolean {
  return receiving?.request.complete === false
}

/** Stops reading requests of a connection; returns its last responses, in order. */
export function refuseFurther(connection: Connection): readonly ServerResponse[] {
  connection.isEnding = true
  // A request without a readable body is not started.
  if (connection.waiting?.req.complete === false) connection.waiting = undefined
  return connection.responses
}

/** Closes the connection after this response if the request was not read to its end. */
export function endUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  const connection = (request.socket as Known)[connectionKey]
  if (connection && !request.complete && !response.headersSent) endAfter(connection, response)
}

/** Drops responses whose last byte was handed to the kernel, and whose request has arrived: its rest may be broken. */
export function dropFinished({ responses }: Connection): void {
  while (responses[0]?.writableFinished && responses[0].req.complete) responses.shift()
}

export function isIdle({ responses }: Connection): boolean {
  return responses.every(({ writableFinished }) => writableFinished)
}

/** Whether bytes of a further request have arrived. */
export function isSending({ socket, bytesAtRest }: Connection): boolean {
  return socket.bytesRead > bytesAtRest
}

export function isWorkedOn({ responses, waiting }: Connection): boolean {
  const first = responses.find(({ writableFinished }) => !writableFinished)
  return first !== undefined && first !== waiting
}

/** Makes this response the last of its connection, with `Connection: close`. Call it before the headers are sent. */
export function endAfter(connection: Connection, response: ServerResponse): void {
  const { socket } = connection
  connection.isEnding = true
  response.shouldKeepAlive = false
  // Node calls this after the last response. Node's own version resets a client that is still sending.
  socket.destroySoon = () => endPolitely(socket)
}

/** Closes a connection so that the client can read all responses, even while it is still sending. */
export function endPolitely(socket: Duplex, lastBytes = ''): void {
  if (!socket.writable) return void socket.destroy()
  socket.once('finish', () => {
    const late = timers.setTimeout(() => socket.destroy(), lingerMaxMs)
    socket.once('close', () => timers.clearTimeout(late))
  })
  socket.end(lastBytes)
  // Otherwise the parser would read further bytes as requests.
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.resume()
  // While the parser reads the socket, its stream waits for it and would not start reading again.
  socket._read(0)
}

/** Records that a request on this connection had a valid key. Injected requests have no connection. */
export function markKeyed(socket: Duplex, keyId: bigint): void {
  const connection = (socket as Known)[connectionKey]
  if (!connection) return
  connection.isUnauthorized = false
  connection.keyId = keyId
  if (connection.isKeyed) return
  connection.isKeyed = true
  connection.onKeyed()
  for (const response of connection.responses) announceKeepAlive(response, keepAliveMs)
}

/**
 * Records when the connection is idle after this response. Without a valid key it is kept for a shorter time, which the
 * response announces.
 */
export function restAfter(connection: Connection, response: ServerResponse): void {
  if (!connection.isKeyed) announceKeepAlive(response, unkeyedKeepAliveMs)
  // Node has set its own timeout when this is called.
  response.on('finish', rest)
}

/** One function for all responses: a closure for each costs more. */
function rest(this: ServerResponse) {
  const connection = connectionOf(this.req.socket)
  if (this.statusCode === 401) connection.isUnauthorized = true
  dropFinished(connection)
  // A request that waits counts when it begins.
  if (!isWorkedOn(connection)) connection.share?.leave(connection)
  if (!isIdle(connection)) return
  const { socket, isKeyed } = connection
  connection.bytesAtRest = socket.bytesRead
  if (!isKeyed) socket.setTimeout(unkeyedKeepAliveMs + keepAliveBufferMs)
}

/** Sets the timeout that Node writes into `Keep-Alive`. */
function announceKeepAlive(response: ServerResponse, ms: number): void {
  Object.assign(response, { _keepAliveTimeout: ms })
}

/**
 * The state of Node's server for a connection, which its types do not show: the same in Node 24 and 26. A Node without it
 * limits no pipelined requests.
 */
type Internals = {
  /** `onIncoming` is called with each request, once its headers are there; what it returns goes to llhttp. */
  parser?: { onIncoming?(request: IncomingMessage, isKeptAlive: boolean): number }
  _paused: boolean
  _bytesDispatched?: number
  _handle?: { writeQueueSize?: number } | null
}
type Counted = { _onPendingData?(bytes: number): void }

/** llhttp's HPE_PAUSED: parsing ends behind the headers of a request, before its body. */
const pausedCode = 21

/**
 * More than a connection's high-water mark. Node reads nothing from a connection while this much waits to be sent on
 * it; Node would end a pause of ours.
 */
const pauseBytes = 2 ** 30

/**
 * Stops the parser of a new connection behind each request after which `isPaused`. Node then emits `clientError` with
 * HPE_PAUSED and the bytes that follow; without it the parser makes requests of all 64 KiB that were read at once. Returns
 * whether this Node can.
 */
function stopParserWhere(socket: Socket, isPaused: () => boolean): boolean {
  const { parser } = socket as unknown as Internals
  const onIncoming = parser?.onIncoming
  if (!parser || !onIncoming) return false
  parser.onIncoming = (request, isKeptAlive) => {
    const result = onIncoming(request, isKeptAlive)
    return isPaused() ? pausedCode : result
  }
  return true
}

/** Reads nothing from the connection of this response until `resumeReading`. Returns whether this Node can. */
export function pauseReading(socket: Socket, response: ServerResponse): boolean {
  const counted = response as unknown as Counted
  if (!counted._onPendingData) return false
  counted._onPendingData(pauseBytes)
  ;(socket as unknown as Internals)._paused = true
  socket.pause()
  return true
}

/** Parses what was read before the pause, and continues reading. */
export function resumeReading(
  socket: Socket,
  response: ServerResponse,
  unparsed: Buffer | undefined,
): void {
  ;(response as unknown as Counted)._onPendingData?.(-pauseBytes)
  // Also when it is empty: a request without a body is complete only then.
  if (unparsed) socket.emit('data', unparsed)
}

/** How many bytes the kernel has taken. */
export function movedBytes(socket: Socket): number {
  const { _bytesDispatched = 0, _handle } = socket as unknown as Internals
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0)
}
