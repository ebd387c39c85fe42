import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ServiceError } from '../../contract/service-error.ts'
import { type Moves, next } from '../../states.ts'
import { performance, timers } from '../../timers.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** How long a client may send after the last response: closing immediately could lose that response. */
const lingerMaxMs = 1_000

/**
 * What a connection does. It is
 * - idle, while all its requests are answered and no header block is complete: it waits for a request, for
 *   PETSTORE_HEADERS_TIMEOUT_MS from its first byte on;
 * - busy, from a complete header block until the last response is handed to the operating system;
 * - ending, from the moment when its last response is decided: further requests are ignored.
 */
type Exchange = 'idle' | 'busy' | 'ending'

type ExchangeEvent = 'request' | 'answered' | 'end'

export const exchangeMoves: Moves<Exchange, ExchangeEvent> = {
  idle: { request: 'busy', end: 'ending' },
  busy: { request: 'busy', answered: 'idle', end: 'ending' },
  ending: { answered: 'ending', end: 'ending' },
}

/**
 * Its place among the connections that are served, at most PETSTORE_CONNECTIONS_MAX. It is
 * - extra, while it has none: it is read for one request. Health is served; any other takes a place, or is refused;
 * - refused, when there was none for its request, which gets 503;
 * - unkeyed, until a request shows a valid key: a new connection may replace it while it is idle or reads slowly;
 * - keyed, from then on: a new one may replace it while it is idle, where it can replace no unkeyed one;
 * - gone, once it is replaced or closed.
 */
type Slot = 'extra' | 'refused' | 'unkeyed' | 'keyed' | 'gone'

type SlotEvent = 'place' | 'refuse' | 'key' | 'leave'

export const slotMoves: Moves<Slot, SlotEvent> = {
  extra: { place: 'unkeyed', refuse: 'refused', leave: 'gone' },
  refused: { leave: 'gone' },
  unkeyed: { key: 'keyed', leave: 'gone' },
  keyed: { leave: 'gone' },
  gone: { leave: 'gone' },
}

/** The connections in each slot: of those that are idle, the one that has been so longest comes first. */
type Slots = { readonly [slot in Slot]?: Set<Connection> }

export class Connection {
  readonly server: Server
  readonly socket: Socket
  readonly handle: Handler
  exchange: Exchange = 'idle'
  slot: Slot = 'extra'
  readonly #slots: Slots
  /** When it became idle, and how many bytes had been read then. */
  idleSinceMs = performance.now()
  bytesAtRest = 0
  /** The last response, until it is sent and its request has arrived. */
  last: ServerResponse | undefined
  /** Responses whose requests have not begun, since one before them is unanswered. */
  readonly waiting: ServerResponse[] = []
  /** Of the last check, while bytes wait to be sent: how many were sent before, and since when. */
  unread: { movedBytes: number; sinceMs: number } | undefined
  /** Of the last check, while a body arrives: its request, when that began, and how many bytes had been read at a later time. */
  receiving: Receiving | undefined

  constructor(server: Server, socket: Socket, handle: Handler, slots: Slots) {
    this.server = server
    this.socket = socket
    this.handle = handle
    this.#slots = slots
    slots.extra?.add(this)
    ;(socket as Known)[connectionKey] = this
  }

  move(event: ExchangeEvent): void {
    this.exchange = next(exchangeMoves, this.exchange, event)
  }

  moveSlot(event: SlotEvent): void {
    this.#slots[this.slot]?.delete(this)
    this.slot = next(slotMoves, this.slot, event)
    this.#slots[this.slot]?.add(this)
  }

  /** Begins to be idle, as the last in its slot. */
  rest(): void {
    const { last } = this
    if (last?.req.complete) this.last = undefined
    // Once more when the body that nobody reads has arrived: its bytes are no new request.
    else last?.req.once('end', () => this.exchange === 'idle' && this.rest())
    this.bytesAtRest = this.socket.bytesRead
    this.idleSinceMs = performance.now()
    this.#slots[this.slot]?.delete(this)
    this.#slots[this.slot]?.add(this)
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
  if (connection?.slot === 'unkeyed') connection.moveSlot('key')
}

/** Throws `unavailable` for a request on a connection beyond the maximum. */
export function requireSlot({ socket }: IncomingMessage): void {
  if ((socket as Known)[connectionKey]?.slot === 'refused')
    throw new ServiceError(
      'unavailable',
      'Too many connections are open. Send the request again later, or keep fewer of them.',
    )
}

/** Makes this response the last of its connection, with `Connection: close`. Call it before the headers are sent. */
export function endAfter(connection: Connection, response: ServerResponse): void {
  const { socket } = connection
  connection.move('end')
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
