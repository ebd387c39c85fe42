import type { IncomingMessage, Server, ServerResponse } from 'node:http'
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
  let isDraining = false
  let isReplaced = false
  const stopping = new AbortController()

  function accept(connection: Connection) {
    slots.add(connection)
    open.add(connection)
    accepted += 1
    connection.socket.once('close', () => {
      open.delete(connection)
      slots.leave(connection)
    })
  }

  function receive(request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    limitTurn()
    if (connection.isEnding) return void request.resume()
    if (connection.isExtra && !isProbe(request)) {
      slots.promote(connection)
      connection.isRefused = connection.isExtra
    }
    if (isDraining || connection.isExtra) endAfter(connection, response)
    slots.begin(connection)
    connection.last = response
    connection.unanswered += 1
    response.on('finish', answered)
    const { unanswered, waiting, handle, socket } = connection
    if (unanswered === 1) return handle(request, response)
    waiting.push(response)
    // Behind what of this turn is still parsed. Node itself goes on reading then, and when its buffered responses are sent.
    if (!socket.isPaused()) timers.setImmediate(pauseWhileWaiting, connection)
  }

  /** One function for all responses: a closure for each costs more. */
  function answered(this: ServerResponse) {
    const connection = connectionOf(this.req.socket)
    connection.unanswered -= 1
    if (connection.waiting.length > 0) timers.setImmediate(beginWaiting, connection)
    else if (connection.unanswered === 0 && !connection.isEnding) rest(connection)
  }

  function rest(connection: Connection) {
    const { last, socket } = connection
    if (last?.req.complete) connection.last = undefined
    // Also when the body that nobody reads has arrived: it is no begin of another request.
    else last?.req.once('end', () => connection.isIdle && rest(connection))
    connection.bytesAtRest = socket.bytesRead
    connection.idleSinceMs = performance.now()
    slots.rest(connection)
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
      server.on('connection', (socket) => accept(new Connection(server, socket, handle)))
      server.on('request', receive)
    },
    /** How many connections are open. */
    count: () => open.size,
    /** Whether the service is stopping. */
    isDraining: () => isDraining,
    /** Whether it is stopping because another process of this machine serves in its place. */
    isReplaced: () => isReplaced,
    /** Aborted when responses must end that would keep a stop waiting. */
    stopping: stopping.signal as AbortSignal,
    /** Stops accepting, and closes all connections once their requests are answered. */
    drain(drainOptions: DrainOptions): Promise<void> {
      isDraining = true
      isReplaced = drainOptions.isReplaced === true
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

/**
 * The connections that are served, at most `connectionsMax`, and extra ones beyond these, of which each is read for one
 * request: health is served, everything else is refused. At the maximum a new connection replaces the one without a valid key
 * that has been idle longest; its request also replaces one without a key that reads its response slowly, or an idle one
 * with a key. Where there is none, it stays extra.
 */
function createSlots(connectionsMax: number, onClosed: () => void) {
  const served = new Set<Connection>()
  const extras = new Set<Connection>()
  // In the order in which they became idle.
  const keyed = new Set<Connection>()
  const unkeyed = new Set<Connection>()

  /** Takes a slot; at the maximum that of another, which is closed. */
  function take(connection: Connection, other: Connection | undefined): void {
    if (other && served.size >= connectionsMax) {
      leave(other)
      if (other.isIdle) other.socket.destroy()
      else other.socket.resetAndDestroy()
      onClosed()
    }
    connection.isExtra = served.size >= connectionsMax
    if (connection.isExtra) extras.add(connection)
    else served.add(connection)
  }

  function begin(connection: Connection): void {
    if (!unkeyed.delete(connection)) keyed.delete(connection)
  }

  function leave(connection: Connection): void {
    begin(connection)
    served.delete(connection)
    extras.delete(connection)
  }

  return {
    /** Gives a new connection a slot, or makes it extra: beyond their maximum the oldest is reset. */
    add(connection: Connection): void {
      take(connection, unkeyed.values().find(isSettled))
      if (!connection.isExtra) unkeyed.add(connection)
      const [oldest] = extras
      if (!oldest || extras.size <= extraConnectionsMax) return
      extras.delete(oldest)
      oldest.socket.resetAndDestroy()
    },
    /** The same for an extra connection whose request has arrived. */
    promote(connection: Connection): void {
      extras.delete(connection)
      const slow = served.values().filter((one) => !one.isKeyed && isUnread(one, slowReadMs))
      const [[unkeyedIdle], [keyedIdle]] = [unkeyed, keyed]
      take(connection, unkeyedIdle ?? slow.next().value ?? keyedIdle)
    },
    /** A header block is complete. */
    begin,
    /** All requests are answered. */
    rest(connection: Connection): void {
      if (connection.isKeyed) keyed.add(connection)
      else unkeyed.add(connection)
    },
    /** The connection is closed. */
    leave,
  }
}

/** A new connection has some time for its first request. */
function isSettled({ bytesAtRest, idleSinceMs }: Connection): boolean {
  return bytesAtRest > 0 || performance.now() - idleSinceMs >= firstRequestMaxMs
}
