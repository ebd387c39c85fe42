import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Observers } from '../observe.ts'
import {
  type Connection,
  connectionOf,
  createConnection,
  endAfter,
  isIdle,
  isSending,
  restAfter,
} from './connection.ts'
import { type DrainOptions, drain } from './drain.ts'
import { createExtraConnections } from './extra-connections.ts'
import { timeOutRequest } from './protocol.ts'
import { createRequests, type Handler } from './requests.ts'
import { createSendUnavailable } from './send-unavailable.ts'
import { findStalled } from './stalled-requests.ts'
import { resetUnread } from './unread-responses.ts'

const checkEveryMs = 1_000

const tooManyOfKey =
  'Too many requests of this API key wait to begin. Nothing was stored; try again later, with fewer at a time.'

type ConnectionsOptions = {
  config: Pick<Config, 'connectionsMax' | 'responseTimeoutMs' | 'requestTimeoutMs'>
  /** Called with warnings for the operator. */
  warn(sentence: string): void
  observers: Observers | undefined
  requestIdOf(request: IncomingMessage): string
  /** Whether a request is served beyond the maximum too. */
  isProbe(request: IncomingMessage): boolean
}

/** All connections of a service. */
export type Connections = {
  /** Passes the requests of all accepted connections to `handle`. */
  attach(server: Server, handle: Handler): void
  /** How many connections are open. */
  count(): number
  /** Whether the service is stopping. */
  isDraining(): boolean
  /** Whether that is since another process of this machine serves in its place. */
  isReplaced(): boolean
  /** Aborted when responses must end that would keep a stop waiting. */
  stopping: AbortSignal
  /** Stops accepting, and closes all connections once their requests are answered. */
  drain(options: DrainOptions): Promise<void>
  close(): void
}

export function createConnections({
  config,
  warn,
  observers,
  requestIdOf,
  isProbe,
}: ConnectionsOptions): Connections {
  const { connectionsMax, responseTimeoutMs, requestTimeoutMs } = config
  const open = new Set<Connection>()
  const servers = new Set<Server>()
  const sendUnavailable = createSendUnavailable({ requestIdOf, observers })
  const requests = createRequests({
    isProbe,
    refuse: (request, response) => sendUnavailable(request, response, tooManyOfKey),
  })
  const slots = createSlots(connectionsMax)
  const extras = createExtraConnections({ sendUnavailable, isProbe })
  let accepted = 0
  let isDraining = false
  let isReplaced = false
  let onClosed = () => {}
  const stopping = new AbortController()

  function accept(server: Server, socket: Socket) {
    const connection = createConnection(server, socket)
    connection.isExtra = !slots.takeForNew(connection)
    connection.onKeyed = () => slots.touch(connection)
    requests.watch(connection)
    open.add(connection)
    accepted += 1
    if (connection.isExtra) extras.add(connection)
    socket.once('close', () => {
      requests.forget(connection)
      open.delete(connection)
      slots.leave(connection)
      extras.delete(connection)
      onClosed()
    })
  }

  /** Gives an extra connection a slot, where one can be had for its request. */
  function promote(connection: Connection) {
    connection.isExtra = !slots.takeForRequest(connection)
    if (!connection.isExtra) extras.delete(connection)
  }

  function receive(handle: Handler, request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    if (connection.isEnding) return
    if (connection.isExtra && !isProbe(request)) promote(connection)
    if (isDraining || connection.isExtra) endAfter(connection, response)
    if (connection.isExtra && extras.refuse(request, response)) return
    restAfter(connection, response)
    slots.touch(connection)
    requests.take(connection, handle, request, response)
  }

  const check = setInterval(() => {
    extras.dropSilent()
    for (const { socket, server } of findStalled(open, requestTimeoutMs)) {
      timeOutRequest(server, socket)
    }
    const resets = Map.groupBy(resetUnread(open, responseTimeoutMs), (ms) => ms)
    for (const [ms, { length }] of resets) {
      const were = length === 1 ? '1 connection was' : `${length} connections were`
      warn(`${were} reset: nobody read the responses within ${ms / 1_000} s.`)
    }
    const replaced = slots.closedCount()
    if (replaced > 0) {
      const were = replaced === 1 ? '1 idle connection was' : `${replaced} idle connections were`
      warn(`${were} closed for new ones: ${connectionsMax} are served (PETSTORE_CONNECTIONS_MAX).`)
    }
  }, checkEveryMs).unref()

  return {
    attach(server, handle) {
      servers.add(server)
      server.on('connection', (socket) => accept(server, socket))
      server.on('request', (request, response) => receive(handle, request, response))
    },
    count: () => open.size,
    isDraining: () => isDraining,
    isReplaced: () => isReplaced,
    stopping: stopping.signal,
    drain(drainOptions) {
      isDraining = true
      isReplaced = drainOptions.isReplaced === true
      const closed = { set: (listener: () => void) => (onClosed = listener) }
      return drain(
        {
          open,
          servers,
          requests,
          closed,
          arrived: () => accepted + requests.waited(),
          endStreams: () => stopping.abort(),
        },
        drainOptions,
      )
    },
    close: () => clearInterval(check),
  }
}

/** How long the first request of a new connection may be on its way. */
const firstRequestMaxMs = 250

/** The connections that are served, at most `connectionsMax`. */
type Slots = {
  /**
   * Gives a new connection a slot. At the maximum it takes that of an idle connection without a valid key, which is closed:
   * the one whose last request is oldest. Returns false where none may be closed.
   */
  takeForNew(connection: Connection): boolean
  /** The same for a connection whose request has arrived. Where all have shown a valid key, an idle one of them is closed. */
  takeForRequest(connection: Connection): boolean
  /** A request has arrived on the connection, or its first valid key. */
  touch(connection: Connection): void
  leave(connection: Connection): void
  /** How many idle connections were closed since the last call. */
  closedCount(): number
}

/** At the maximum, a network with half of the slots or more can only replace its own connections. */
function createSlots(connectionsMax: number): Slots {
  // In the order of their last requests.
  const unkeyed = new Set<Connection>()
  const keyed = new Set<Connection>()
  const counts = new Map<string, number>()
  /** The network with more than half of the slots. */
  let largest: string | undefined
  let closed = 0

  function count(network: string, change: 1 | -1) {
    const own = (counts.get(network) ?? 0) + change
    if (own === 0) counts.delete(network)
    else counts.set(network, own)
    if (own > connectionsMax / 2) largest = network
    else if (largest === network) largest = undefined
  }

  function isLarge({ network }: Connection): boolean {
    return (counts.get(network) ?? 0) >= connectionsMax / 2
  }

  /** The one to close for this connection: one of the largest network first. */
  function findFor(connection: Connection, among: Set<Connection>, mayClose: MayClose) {
    if (isLarge(connection)) return find(among, mayClose, connection.network)
    return find(among, mayClose, largest) ?? find(among, mayClose)
  }

  function findForRequest(connection: Connection): Connection | undefined {
    // Of the largest network even those that have sent a part of a request.
    const ofLargest =
      largest === undefined || isLarge(connection) ? undefined : find(unkeyed, isIdle, largest)
    return (
      ofLargest ?? findFor(connection, unkeyed, isSilent) ?? findFor(connection, keyed, isAtRest)
    )
  }

  function take(connection: Connection, findReplaceable: () => Connection | undefined): boolean {
    if (unkeyed.size + keyed.size >= connectionsMax) {
      const other = findReplaceable()
      if (!other) return false
      slots.leave(other)
      other.socket.destroy()
      closed += 1
    }
    unkeyed.add(connection)
    count(connection.network, 1)
    return true
  }

  const slots: Slots = {
    takeForNew: (connection) => take(connection, () => findFor(connection, unkeyed, isSettled)),
    takeForRequest: (connection) => take(connection, () => findForRequest(connection)),
    touch(connection) {
      if (!unkeyed.delete(connection) && !keyed.delete(connection)) return
      if (connection.isKeyed) keyed.add(connection)
      else unkeyed.add(connection)
    },
    leave(connection) {
      if (unkeyed.delete(connection) || keyed.delete(connection)) count(connection.network, -1)
    },
    closedCount() {
      const since = closed
      closed = 0
      return since
    },
  }
  return slots
}

type MayClose = (connection: Connection) => boolean

/** For connections without a valid key: a part of a later request does not keep them open. */
function isSettled(connection: Connection): boolean {
  const { responses, acceptedMs, bytesAtRest } = connection
  if (responses.length > 0 || bytesAtRest > 0) return isIdle(connection)
  return performance.now() - acceptedMs > firstRequestMaxMs
}

function isSilent(connection: Connection): boolean {
  return isSettled(connection) || connection.socket.bytesRead === 0
}

function isAtRest(connection: Connection): boolean {
  return isIdle(connection) && !isSending(connection)
}

/** The connection of a network, or of any, whose last request is the oldest. */
function find(
  connections: Iterable<Connection>,
  mayClose: MayClose,
  network?: string,
): Connection | undefined {
  for (const connection of connections) {
    if ((network === undefined || connection.network === network) && mayClose(connection))
      return connection
  }
  return undefined
}
