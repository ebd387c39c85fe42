import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { performance, sleep, timers, turn } from '../../timers.ts'
import type { RequestQueue } from '../request-queue.ts'
import { type Connection, endAfter, endPolitely } from './connection.ts'

const idleCheckEveryMs = 50
/** The longest that requests wait while the servers stop listening. */
const holdMaxMs = 1_000
/**
 * The servers stop listening once this many checks in a row found no request in progress and nothing new. Meanwhile clients
 * that are opening a connection get processor time. Counted in checks, not in time: after a stall of the whole machine one
 * long pause proves nothing.
 */
const quietChecksMin = 10
const quietCheckEveryMs = 5

export type DrainOptions = {
  /** How long requests are served as before, with `Connection: close`. */
  drainMs: number
  /** Whether other processes listen on the same socket: then no connection is accepted from the beginning. */
  isReplaced?: boolean
  /** Ends that time immediately. */
  hurry: AbortSignal
  /** After this time, connections are reset. */
  cutOffMs: number
}

type Draining = {
  open: Set<Connection>
  servers: Set<Server>
  queue: RequestQueue
  /** The connections and waiting requests that have arrived so far. */
  arrived(): number
  /** Ends the responses that have no end. */
  endStreams(): void
}

/**
 * Resolves once every connection is closed: idle ones at the end of the drain, others with their last response, and those
 * that are left are cut off after `cutOffMs`.
 */
export async function drain(draining: Draining, options: DrainOptions): Promise<void> {
  const { open, servers, endStreams } = draining
  const { drainMs, isReplaced, hurry, cutOffMs } = options
  const late = timers.setTimeout(() => {
    for (const { socket } of open) socket.destroy()
  }, cutOffMs)
  // The last response of a busy connection announces its end.
  for (const connection of open) {
    const { exchange, last } = connection
    if (exchange === 'busy' && last && !last.headersSent) endAfter(connection, last)
  }
  endStreams()
  if (isReplaced) stopListening(servers)
  if (open.size > 0 && drainMs > 0) {
    await sleep(drainMs, undefined, { signal: hurry }).catch(() => undefined)
    if (!isReplaced) await holdWhile(draining, () => stopListening(servers))
  } else stopListening(servers)
  const endIdle = () => endIdleConnections(open, hurry.aborted ? 0 : drainMs)
  // Runs after this turn has read what has arrived: a connection with an unread request must not count as idle.
  const regularly = timers.setInterval(() => timers.setImmediate(endIdle), idleCheckEveryMs)
  await turn()
  endIdle()
  // Also visits connections that are accepted meanwhile; those that are closed are no longer in the set.
  for (const { socket } of open) await new Promise((resolve) => socket.once('close', resolve))
  timers.clearInterval(regularly)
  timers.clearTimeout(late)
}

/**
 * Requests wait until `act` is done. When a server stops listening, the kernel resets the connections that the server has
 * not accepted yet. A client that gets its last response would connect again; one that waits for a response does not.
 */
async function holdWhile({ queue, arrived }: Draining, act: () => void) {
  const endMs = performance.now() + holdMaxMs
  queue.hold()
  let quietChecks = 0
  while (quietChecks < quietChecksMin && performance.now() < endMs) {
    const before = arrived()
    await sleep(quietCheckEveryMs)
    // Checked before this turn accepts connections, so that nothing runs between its last accept and `act`.
    const isBusy = queue.running() > 0
    await turn()
    quietChecks = isBusy || arrived() > before ? 0 : quietChecks + 1
  }
  act()
  queue.release()
}

function stopListening(servers: Iterable<Server>) {
  // The close method of the HTTP server also destroys idle connections, and so resets a request in transit.
  for (const server of servers) if (server.listening) NetServer.prototype.close.call(server)
}

/** Closes connections that are between two requests, or have sent nothing for `silentMaxMs` since they were accepted. */
function endIdleConnections(open: Set<Connection>, silentMaxMs: number) {
  const now = performance.now()
  for (const connection of open) {
    const { socket, exchange, bytesAtRest, idleSinceMs } = connection
    const isNew = socket.bytesRead === 0 && now - idleSinceMs < silentMaxMs
    const isSending = socket.bytesRead > bytesAtRest || socket.isPaused()
    if (exchange !== 'idle' || isSending || isNew) continue
    connection.move('end')
    endPolitely(socket)
  }
}
