import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/config.ts'
import { extraConnectionsMax } from '../../config/open-files.ts'
import { performance, timers } from '../../timers.ts'
import { limitReading } from '../limit-reading.ts'
import { createRequestQueue } from '../request-queue.ts'
import { Connection, connectionOf, endAfter, type Handler } from './connection.ts'
import { type DrainOptions, drain } from './drain.ts'
import { timeOutRequest } from './protocol.ts'
import { isStalled, isUnread } from './timeouts.ts'

const checkEveryMs = 1_000

type ConnectionsOptions = {
  config: Pick<Config, 'connectionsMax' | 'responseTimeoutMs' | 'requestTimeoutMs'>
  /** Called with warnings for the operator. */
  warn(sentence: string): void
  /** Whether a request is served beyond the maximum too. */
  isProbe(request: IncomingMessage): boolean
}

/** All connections of a service. */
export function createConnections({ config, warn, isProbe }: ConnectionsOptions) {
  const { connectionsMax, responseTimeoutMs, requestTimeoutMs } = config
  const open = new Set<Connection>()
  const servers = new Set<Server>()
  const queue = createRequestQueue()
  let closed = 0
  const slots = createSlots(connectionsMax, () => closed++)
  const limitTurn = limitReading(open)
  let accepted = 0
  let phase: 'serving' | 'draining' | 'replaced' = 'serving'
  const stopping = new AbortController()

  function accept(server: Server, socket: Socket, handle: Handler) {
    const connection = new Connection(server, socket, handle, slots.sets)
    open.add(connection)
    slots.accept(connection)
    accepted += 1
    socket.once('close', () => {
      open.delete(connection)
      connection.moveSlot('leave')
    })
  }

  function receive(request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    limitTurn()
    const { exchange, waiting, handle, socket } = connection
    if (exchange === 'ending') return void request.resume()
    if (connection.slot === 'extra' && !isProbe(request)) slots.promote(connection)
    connection.move('request')
    if (phase !== 'serving' || slots.isExtra(connection)) endAfter(connection, response)
    connection.last = response
    response.on('finish', answered)
    if (exchange === 'idle') return handle(request, response)
    waiting.push(response)
    // Once the input of this turn is parsed: Node would resume the socket before, and when its buffered responses are sent.
    if (!socket.isPaused()) timers.setImmediate(pauseWhileWaiting, connection)
  }

  /** One function for all responses: a closure for each costs more. */
  function answered(this: ServerResponse) {
    const connection = connectionOf(this.req.socket)
    if (connection.waiting.length > 0) return void timers.setImmediate(beginWaiting, connection)
    connection.move('answered')
    if (connection.exchange === 'idle') connection.rest()
  }

  const check = timers
    .setInterval(() => {
      let resets = 0
      for (const connection of open) {
        if (isStalled(connection, requestTimeoutMs)) timeOutRequest(connection)
        if (!isUnread(connection, responseTimeoutMs)) continue
        resets += 1
        // A reset, since after a plain close the kernel keeps the unread bytes.
        connection.socket.resetAndDestroy()
      }
      if (resets > 0) {
        const seconds = responseTimeoutMs / 1_000
        warn(`${were(resets, 'connection')} reset: nobody read the responses within ${seconds} s.`)
      }
      if (closed > 0)
        warn(
          `${were(closed, 'idle or slow connection')} closed for new ones: ${connectionsMax} are served (PETSTORE_CONNECTIONS_MAX).`,
        )
      closed = 0
    }, checkEveryMs)
    .unref()

  return {
    /** The requests that are in progress and that wait. */
    queue,
    /** Passes the requests of all accepted connections to `handle`. */
    attach(server: Server, handle: Handler): void {
      servers.add(server)
      server.on('connection', (socket) => accept(server, socket, handle))
      server.on('request', receive)
    },
    /** How many connections are open. */
    count: () => open.size,
    /** Whether the service is stopping. */
    isDraining: () => phase !== 'serving',
    /** Whether it is stopping because another process of this machine serves in its place. */
    isReplaced: () => phase === 'replaced',
    /** Aborted when responses must end that would keep a stop waiting. */
    stopping: stopping.signal as AbortSignal,
    /** Stops accepting, and closes all connections once their requests are answered. */
    drain(drainOptions: DrainOptions): Promise<void> {
      phase = drainOptions.isReplaced ? 'replaced' : 'draining'
      const draining = {
        open,
        servers,
        queue,
        arrived: () => accepted + queue.waited(),
        endStreams: () => stopping.abort(),
      }
      return drain(draining, drainOptions)
    },
    close: () => timers.clearInterval(check),
  }
}

function pauseWhileWaiting({ socket, waiting }: Connection) {
  if (waiting.length > 0) socket.pause()
}

/** Begins the request that waits behind an answered one. */
function beginWaiting({ socket, waiting, handle }: Connection) {
  const response = waiting.shift()
  if (waiting.length === 0) socket.resume()
  if (response && !socket.destroyed) handle(response.req, response)
}

function were(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} was` : `${count} ${noun}s were`
}

/** How long the first request of a new connection may be on its way. */
const firstRequestMaxMs = 250
/** Who has read nothing for so long reads slowly. */
const slowReadMs = 1_000

/** Gives connections their slots; of those that may be replaced, the one that has been idle longest is closed first. */
function createSlots(connectionsMax: number, onReplaced: () => void) {
  const extra = new Set<Connection>()
  const unkeyed = new Set<Connection>()
  const keyed = new Set<Connection>()
  const findIdle = (slot: typeof keyed) => slot.values().find(({ exchange }) => exchange === 'idle')
  const isFull = () => unkeyed.size + keyed.size >= connectionsMax

  function replace(connection: Connection | undefined): void {
    if (!connection) return
    connection.moveSlot('leave')
    if (connection.exchange === 'idle') connection.socket.destroy()
    else connection.socket.resetAndDestroy()
    onReplaced()
  }

  return {
    isExtra: (connection: Connection) => extra.has(connection),
    sets: { extra, refused: extra, unkeyed, keyed },
    /** Gives a new connection a slot where there is one; of those beyond their maximum the oldest is reset. */
    accept(connection: Connection): void {
      if (isFull()) replace(unkeyed.values().find(isSettled))
      if (!isFull()) return void connection.moveSlot('place')
      const [oldest] = extra
      if (!oldest || extra.size <= extraConnectionsMax) return
      oldest.moveSlot('leave')
      oldest.socket.resetAndDestroy()
    },
    /** Gives an extra connection, whose request has arrived, a slot, or refuses it. */
    promote(connection: Connection): void {
      if (isFull())
        replace(
          findIdle(unkeyed) ??
            unkeyed.values().find((one) => isUnread(one, slowReadMs)) ??
            findIdle(keyed),
        )
      connection.moveSlot(isFull() ? 'refuse' : 'place')
    },
  }
}

/** A new connection has some time for its first request. */
function isSettled({ exchange, bytesAtRest, idleSinceMs }: Connection): boolean {
  const isNew = bytesAtRest === 0 && performance.now() - idleSinceMs < firstRequestMaxMs
  return exchange === 'idle' && !isNew
}
