import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Config } from '../../config/config.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { performance, timers } from '../../timers.ts'
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
  let accepted = 0
  let isDraining = false
  let isReplaced = false
  const stopping = new AbortController()

  function accept(connection: Connection) {
    connection.onKeyed = () => slots.touch(connection)
    slots.add(connection)
    open.add(connection)
    accepted += 1
    connection.socket.once('close', () => {
      requests.forget(connection)
      open.delete(connection)
      slots.leave(connection)
    })
  }

  function receive(request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    if (connection.isEnding) return
    if (connection.isExtra && !isProbe(request)) slots.promote(connection)
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

  const check = timers
    .setInterval(() => {
      slots.dropSilent()
      for (const connection of findStalled(open, requestTimeoutMs)) timeOutRequest(connection)
      const resets = Map.groupBy(resetUnread(open, responseTimeoutMs), (ms) => ms)
      for (const [ms, { length }] of resets)
        warn(
          `${were(length, 'connection')} reset: nobody read the responses within ${ms / 1_000} s.`,
        )
      const closed = slots.closedCount()
      if (closed > 0)
        warn(
          `${were(closed, 'idle connection')} closed for new ones: ${connectionsMax} are served (PETSTORE_CONNECTIONS_MAX).`,
        )
    }, checkEveryMs)
    .unref()

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
    stopping: stopping.signal as AbortSignal,
    /** Stops accepting, and closes all connections once their requests are answered. */
    drain(drainOptions: DrainOptions): Promise<void> {
      isDraining = true
      isReplaced = drainOptions.isReplaced === true
      const draining = {
        ...{ open, servers, requests },
        arrived: () => accepted + requests.waited(),
        endStreams: () => stopping.abort(),
      }
      return drain(draining, drainOptions)
    },
    close: () => timers.clearInterval(check),
  }
}

function were(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} was` : `${count} ${noun}s were`
}

/** How long the first request of a new connection may be on its way. */
const firstRequestMaxMs = 250
/** How long a connection beyond the maximum may take to send a request. */
const silentMaxMs = 1_000

/**
 * The connections that are served, at most `connectionsMax`, and the extra ones beyond these: each is read for one request,
 * and only probes are answered. At the maximum, a network with half of the slots or more can only replace its own connections.
 */
function createSlots(connectionsMax: number) {
  // In the order of their last requests.
  const unkeyed = new Set<Connection>()
  const keyed = new Set<Connection>()
  const extras = new Set<Connection>()
  const networks = createNetworks(connectionsMax)
  let closed = 0

  /** The one to close for this connection: one of the largest network first. */
  function findFor(connection: Connection, among: Set<Connection>, mayClose: MayClose) {
    const { network } = connection
    if (networks.isLarge(network)) return find(among, mayClose, network)
    return find(among, mayClose, networks.largest()) ?? find(among, mayClose)
  }

  function findForRequest(connection: Connection): Connection | undefined {
    const largest = networks.isLarge(connection.network) ? undefined : networks.largest()
    return (
      // Of the largest network even those that have sent a part of a request.
      (largest === undefined ? undefined : find(unkeyed, isIdle, largest)) ??
      findFor(connection, unkeyed, isSilent) ??
      findFor(connection, keyed, isAtRest)
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
    networks.count(connection.network, 1)
    return true
  }

  function leave(connection: Connection): void {
    if (unkeyed.delete(connection) || keyed.delete(connection))
      networks.count(connection.network, -1)
    extras.delete(connection)
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

  return {
    /**
     * Gives a new connection a slot. At the maximum it takes that of an idle connection without a valid key, which is closed:
     * the one whose last request is oldest. Where none may be closed, the connection is extra.
     */
    add(connection: Connection): void {
      connection.isExtra = !take(connection, () => findFor(connection, unkeyed, isSettled))
      if (connection.isExtra) addExtra(connection)
    },
    /** The same for an extra connection whose request has arrived. Where all have shown a valid key, an idle one of them is closed. */
    promote(connection: Connection): void {
      connection.isExtra = !take(connection, () => findForRequest(connection))
      if (!connection.isExtra) extras.delete(connection)
    },
    /** A request has arrived on the connection, or its first valid key. */
    touch(connection: Connection): void {
      if (!unkeyed.delete(connection) && !keyed.delete(connection)) return
      if (connection.isKeyed) keyed.add(connection)
      else unkeyed.add(connection)
    },
    leave,
    /** Closes extra connections that send nothing. */
    dropSilent(): void {
      const now = performance.now()
      for (const { isEnding, acceptedMs, socket } of extras) {
        if (!isEnding && now - acceptedMs >= silentMaxMs) socket.destroy()
      }
    },
    /** How many idle connections were closed since the last call. */
    closedCount(): number {
      const since = closed
      closed = 0
      return since
    },
  }
}

/** How many slots each network has. */
function createNetworks(connectionsMax: number) {
  const counts = new Map<string, number>()
  let largest: string | undefined

  return {
    count(network: string, change: 1 | -1): void {
      const own = (counts.get(network) ?? 0) + change
      if (own === 0) counts.delete(network)
      else counts.set(network, own)
      if (own > connectionsMax / 2) largest = network
      else if (largest === network) largest = undefined
    },
    /** Whether it has half of the slots or more. */
    isLarge: (network: string) => (counts.get(network) ?? 0) >= connectionsMax / 2,
    /** The network with more than half of the slots. */
    largest: () => largest,
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
