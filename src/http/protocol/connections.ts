import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Config } from '../../config/config.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Observers } from '../observe.ts'
import { wholeResponse } from '../response/send-error.ts'
import {
  Connection,
  connectionOf,
  endAfter,
  type Handler,
  isIdle,
  isSending,
  restAfter,
} from './connection.ts'
import { type DrainOptions, drain } from './drain.ts'
import { extraConnectionsMax } from './open-files.ts'
import { timeOutRequest } from './protocol.ts'
import { createRequests } from './requests.ts'
import { findStalled, resetUnread } from './timeouts.ts'

const checkEveryMs = 1_000
/** How long a connection beyond the maximum may take to send a request. */
const silentMaxMs = 1_000

const tooManyConnections =
  'Too many connections are open. Send the request again later, or keep fewer of them.'
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
export function createConnections({
  config,
  warn,
  observers,
  requestIdOf,
  isProbe,
}: ConnectionsOptions) {
  const { connectionsMax, responseTimeoutMs, requestTimeoutMs } = config
  const open = new Set<Connection>()
  const servers = new Set<Server>()
  const requests = createRequests({
    isProbe,
    refuse: (request, response) => sendUnavailable(request, response, tooManyOfKey),
  })
  const slots = createSlots(connectionsMax)
  /** Those beyond the maximum. Each is read for one request, and only probes are answered. */
  const extras = new Set<Connection>()
  let accepted = 0
  let isDraining = false
  let isReplaced = false
  let onClosed = () => {}
  const stopping = new AbortController()

  function accept(connection: Connection) {
    const { socket } = connection
    connection.isExtra = !slots.takeForNew(connection)
    connection.onKeyed = () => slots.touch(connection)
    requests.watch(connection)
    open.add(connection)
    accepted += 1
    if (connection.isExtra) addExtra(connection)
    socket.once('close', () => {
      requests.forget(connection)
      open.delete(connection)
      slots.leave(connection)
      extras.delete(connection)
      onClosed()
    })
  }

  /** Beyond the maximum of extra connections, the oldest is reset. */
  function addExtra(connection: Connection) {
    const [oldest] = extras
    if (oldest && extras.size >= extraConnectionsMax) {
      extras.delete(oldest)
      oldest.socket.resetAndDestroy()
    }
    extras.add(connection)
  }

  /** Gives an extra connection a slot, where one can be had for its request. */
  function promote(connection: Connection) {
    connection.isExtra = !slots.takeForRequest(connection)
    if (!connection.isExtra) extras.delete(connection)
  }

  function receive(request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    if (connection.isEnding) return
    if (connection.isExtra && !isProbe(request)) promote(connection)
    const { isExtra } = connection
    if (isDraining || isExtra) endAfter(connection, response)
    if (isExtra && !isProbe(request)) return sendUnavailable(request, response, tooManyConnections)
    restAfter(connection, response)
    slots.touch(connection)
    requests.take(connection, request, response)
  }

  /** Responds 503 to a request that no route has seen. */
  function sendUnavailable(request: IncomingMessage, response: ServerResponse, message: string) {
    const error = new ServiceError('unavailable', message)
    const requestId = requestIdOf(request)
    const { status, headers, body } = wholeResponse(error, requestId)
    const observation = observers?.begin(requestId, request, { raw: response, sent: true })
    observation?.fail(error)
    observation?.respond(status)
    response.writeHead(status, headers).end(body)
  }

  function dropSilentExtras() {
    const now = performance.now()
    for (const { isEnding, acceptedMs, socket } of extras) {
      if (!isEnding && now - acceptedMs >= silentMaxMs) socket.destroy()
    }
  }

  const check = setInterval(() => {
    dropSilentExtras()
    for (const connection of findStalled(open, requestTimeoutMs)) timeOutRequest(connection)
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
    get stopping(): AbortSignal {
      return stopping.signal
    },
    /** Stops accepting, and closes all connections once their requests are answered. */
    drain(drainOptions: DrainOptions): Promise<void> {
      isDraining = true
      isReplaced = drainOptions.isReplaced === true
      const draining = {
        open,
        servers,
        requests,
        onClosed: (listener: () => void) => {
          onClosed = listener
        },
        arrived: () => accepted + requests.waited(),
        endStreams: () => stopping.abort(),
      }
      return drain(draining, drainOptions)
    },
    close: () => clearInterval(check),
  }
}

/** How long the first request of a new connection may be on its way. */
const firstRequestMaxMs = 250

/**
 * The connections that are served, at most `connectionsMax`. At the maximum, a network with half of the slots or more can
 * only replace its own connections.
 */
function createSlots(connectionsMax: number) {
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
      leave(other)
      other.socket.destroy()
      closed += 1
    }
    unkeyed.add(connection)
    count(connection.network, 1)
    return true
  }

  function leave(connection: Connection): void {
    if (unkeyed.delete(connection) || keyed.delete(connection)) count(connection.network, -1)
  }

  return {
    /**
     * Gives a new connection a slot. At the maximum it takes that of an idle connection without a valid key, which is closed:
     * the one whose last request is oldest. Returns false where none may be closed.
     */
    takeForNew: (connection: Connection): boolean =>
      take(connection, () => findFor(connection, unkeyed, isSettled)),
    /** The same for a connection whose request has arrived. Where all have shown a valid key, an idle one of them is closed. */
    takeForRequest: (connection: Connection): boolean =>
      take(connection, () => findForRequest(connection)),
    /** A request has arrived on the connection, or its first valid key. */
    touch(connection: Connection): void {
      if (!unkeyed.delete(connection) && !keyed.delete(connection)) return
      if (connection.isKeyed) keyed.add(connection)
      else unkeyed.add(connection)
    },
    leave,
    /** How many idle connections were closed since the last call. */
    closedCount(): number {
      const since = closed
      closed = 0
      return since
    },
  }
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
  connections: Set<Connection>,
  mayClose: MayClose,
  network?: string,
): Connection | undefined {
  return connections
    .values()
    .find((one) => (network === undefined || one.network === network) && mayClose(one))
}
