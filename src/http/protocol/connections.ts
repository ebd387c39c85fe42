import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { AccessLog } from '../../telemetry/access-log.ts'
import type { Log } from '../../telemetry/log.ts'
import {
  type Connection,
  connectionOf,
  createConnection,
  endAfter,
  restAfter,
} from './connection.ts'
import { type DrainOptions, drain } from './drain.ts'
import { createExtraConnections, isHealth } from './extra-connections.ts'
import { createPlaces } from './places.ts'
import { createRequests, type Handler } from './requests.ts'
import { resetUnread } from './unread-responses.ts'

const checkEveryMs = 1_000

type ConnectionsOptions = {
  config: Pick<Config, 'connectionsMax' | 'responseTimeoutMs'>
  log: Log
  accessLog: AccessLog
  requestIdOf(request: IncomingMessage): string
}

/** All connections of a service. */
export type Connections = {
  /** Passes the requests of all accepted connections to `handle`. */
  attach(server: Server, handle: Handler): void
  /** Whether the service is stopping. */
  isDraining(): boolean
  /** Stops accepting, and closes all connections once their requests are answered. */
  drain(options: DrainOptions): Promise<void>
  close(): void
}

export function createConnections({
  config,
  log,
  accessLog,
  requestIdOf,
}: ConnectionsOptions): Connections {
  const { connectionsMax, responseTimeoutMs } = config
  const open = new Set<Connection>()
  const servers = new Set<Server>()
  const requests = createRequests()
  const places = createPlaces(connectionsMax)
  const extras = createExtraConnections(requestIdOf, accessLog)
  let accepted = 0
  let isDraining = false
  let onClosed = () => {}

  function accept(socket: Socket) {
    const connection = createConnection(socket)
    connection.isExtra = !places.takeForNew(connection)
    connection.onKeyed = () => places.touch(connection)
    requests.watch(connection)
    open.add(connection)
    accepted += 1
    if (connection.isExtra) extras.add(connection)
    socket.once('close', () => {
      requests.forget(connection)
      open.delete(connection)
      places.leave(connection)
      extras.delete(connection)
      onClosed()
    })
  }

  /** Gives an extra connection a place, where one can be had for its request. */
  function promote(connection: Connection) {
    connection.isExtra = !places.takeForRequest(connection)
    if (!connection.isExtra) extras.delete(connection)
  }

  function receive(handle: Handler, request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    if (connection.isEnding) return
    if (connection.isExtra && !isHealth(request)) promote(connection)
    if (isDraining || connection.isExtra) endAfter(connection, response)
    if (connection.isExtra && extras.refuse(request, response)) return
    restAfter(connection, response)
    places.touch(connection)
    requests.take(connection, handle, request, response)
  }

  const check = setInterval(() => {
    extras.dropSilent()
    const unread = resetUnread(open, responseTimeoutMs)
    if (unread > 0) {
      const seconds = responseTimeoutMs / 1_000
      log.warn(
        `${unread} connections were reset: their clients did not read the responses within ${seconds} s.`,
      )
    }
    const replaced = places.closedCount()
    if (replaced > 0) {
      log.warn(
        `${replaced} idle connections were closed for new ones: ${connectionsMax} are served (PETSTORE_CONNECTIONS_MAX).`,
      )
    }
  }, checkEveryMs).unref()

  return {
    attach(server, handle) {
      servers.add(server)
      server.on('connection', accept)
      server.on('request', (request, response) => receive(handle, request, response))
    },
    isDraining: () => isDraining,
    drain(drainOptions) {
      isDraining = true
      const closed = { set: (listener: () => void) => (onClosed = listener) }
      return drain(
        { open, servers, requests, closed, arrived: () => accepted + requests.waited() },
        drainOptions,
      )
    },
    close: () => clearInterval(check),
  }
}
