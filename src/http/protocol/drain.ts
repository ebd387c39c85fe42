import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { type Connection, endAfter, isWorkedOn } from './connection.ts'
import { endPolitely } from './end-politely.ts'
import type { Requests } from './requests.ts'

const idleCheckEveryMs = 50
/** How long requests wait at most while the servers stop to listen. */
const holdMaxMs = 500
/** A turn of the event loop may accept one connection of several. */
const quietTurnsMin = 3

export type DrainOptions = {
  /** How long everything is served as before, but for `Connection: close`. */
  drainMs: number
  /** Ends that time at once. */
  hurry: AbortSignal
  /** Once this is over, connections are cut off. */
  cutOffMs: number
}

type Draining = {
  open: Set<Connection>
  servers: Set<Server>
  requests: Requests
  /** How many connections, and requests that wait, have come until now. */
  arrived(): number
  closed: { set(listener: () => void): void }
}

/** Resolves once every connection is closed; those that stay idle are ended, those that are answered with it. */
export async function drain(draining: Draining, options: DrainOptions): Promise<void> {
  const { open, servers, closed } = draining
  const { drainMs, hurry, cutOffMs } = options
  const isEmpty = Promise.withResolvers<void>()
  closed.set(() => {
    if (open.size === 0) isEmpty.resolve()
  })
  const late = setTimeout(() => cutOff(open), cutOffMs)
  endWithRunningRequests(open)
  if (open.size > 0 && drainMs > 0) {
    await sleep(drainMs, undefined, { signal: hurry }).catch(() => undefined)
    await holdWhile(draining, () => stopListening(servers))
  } else stopListening(servers)
  const endIdle = () => endIdleConnections(draining, hurry.aborted ? 0 : drainMs)
  // After the turn has read what has arrived, so that no request is overlooked.
  const regularly = setInterval(() => setImmediate(endIdle), idleCheckEveryMs)
  await turn()
  endIdle()
  if (open.size > 0) await isEmpty.promise
  clearInterval(regularly)
  clearTimeout(late)
}

function cutOff(open: Iterable<Connection>) {
  for (const { socket } of open) socket.destroy()
}

/** A client learns with the last answer that it waits for that its connection ends. */
function endWithRunningRequests(open: Iterable<Connection>) {
  for (const connection of open) {
    const last = isWorkedOn(connection) ? connection.responses.at(-1) : undefined
    if (last && !last.headersSent) endAfter(connection, last)
  }
}

/**
 * Lets requests wait meanwhile. A client that has its answer connects anew, and the kernel resets what it has accepted
 * for a server that stops to listen: nobody who waits for an answer connects.
 */
async function holdWhile({ open, requests, arrived }: Draining, act: () => void) {
  const endMs = performance.now() + holdMaxMs
  requests.hold()
  let quietTurns = 0
  while (quietTurns < quietTurnsMin && performance.now() < endMs) {
    const before = arrived()
    // Looked at before the turn: between its look for connections and the act nothing else is done.
    const isBusy = [...open].some(isWorkedOn)
    await turn()
    quietTurns = isBusy || arrived() > before ? 0 : quietTurns + 1
  }
  act()
  requests.release(open)
}

function stopListening(servers: Iterable<Server>) {
  // The method of the HTTP server would also destroy idle connections, and reset a request that is on its way.
  for (const server of servers) if (server.listening) NetServer.prototype.close.call(server)
}

/** Ends connections that are between two requests, or have sent nothing for as long as the drain takes. */
function endIdleConnections({ open, servers }: Draining, silentMaxMs: number) {
  const now = performance.now()
  for (const connection of open) {
    const { socket, acceptedMs } = connection
    const isAwaited =
      isWorkedOn(connection) || (socket.bytesRead === 0 && now - acceptedMs < silentMaxMs)
    // Node alone knows which connections are within a request, and can only destroy the others.
    socket.destroy = () => {
      if (socket.writable && !isAwaited) endPolitely(socket)
      return socket
    }
  }
  for (const server of servers) server.closeIdleConnections()
  for (const { socket } of open) delete (socket as { destroy?: unknown }).destroy
}
