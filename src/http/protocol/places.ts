import { type Connection, isIdle, isSending } from './connection.ts'

/** How long the first request of a new connection may be on its way. */
const firstRequestMaxMs = 250

/** The connections that are served, at most `connectionsMax`. */
type Places = {
  /**
   * Gives a new connection a place. At the maximum it takes that of an idle connection without a valid key, which is closed:
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

/** At the maximum, a network with half of the places or more can only replace its own connections. */
export function createPlaces(connectionsMax: number): Places {
  // In the order of their last requests.
  const unkeyed = new Set<Connection>()
  const keyed = new Set<Connection>()
  const counts = new Map<string, number>()
  /** The network with more than half of the places. */
  let largest: string | undefined
  let closed = 0

  function count(network: string, change: 1 | -1) {
    const own = (counts.get(network) ?? 0) + change
    if (own === 0) counts.delete(network)
    else counts.set(network, own)
    if (own > connectionsMax / 2) largest = network
    else if (largest === network) largest = undefined
  }

  /** The one to close for another of this network: one of the largest network first. */
  function findFor({ network }: Connection, among: Set<Connection>, mayClose: MayClose) {
    const isLarge = (counts.get(network) ?? 0) >= connectionsMax / 2
    if (isLarge) return find(among, mayClose, network)
    return find(among, mayClose, largest) ?? find(among, mayClose)
  }

  function take(connection: Connection, findReplaceable: () => Connection | undefined): boolean {
    if (unkeyed.size + keyed.size >= connectionsMax) {
      const other = findReplaceable()
      if (!other) return false
      places.leave(other)
      other.socket.destroy()
      closed += 1
    }
    unkeyed.add(connection)
    count(connection.network, 1)
    return true
  }

  const places: Places = {
    takeForNew: (connection) => take(connection, () => findFor(connection, unkeyed, isSettled)),
    takeForRequest: (connection) =>
      take(
        connection,
        () => findFor(connection, unkeyed, isSilent) ?? findFor(connection, keyed, isAtRest),
      ),
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
  return places
}

type MayClose = (connection: Connection) => boolean

/** For connections without a valid key: a part of a later request does not keep them open. */
function isSettled(connection: Connection): boolean {
  const { responses, acceptedMs } = connection
  if (responses.length > 0) return isIdle(connection)
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
