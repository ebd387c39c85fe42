import { type Connection, isIdle } from './connection.ts'

/** The connections that are served, at most `connectionsMax`. */
type Places = {
  /**
   * Gives a new connection a place. At the maximum an idle connection is closed for it: those without a valid key first, of
   * these the one that is idle longest. Returns false if none may be closed.
   */
  take(connection: Connection): boolean
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

  function replaceable({ network }: Connection): Connection | undefined {
    const isLarge = (counts.get(network) ?? 0) >= connectionsMax / 2
    if (isLarge) return findIdle(unkeyed, network) ?? findIdle(keyed, network)
    return (
      findIdle(unkeyed, largest) ?? findIdle(unkeyed) ?? findIdle(keyed, largest) ?? findIdle(keyed)
    )
  }

  const places: Places = {
    take(connection) {
      if (unkeyed.size + keyed.size >= connectionsMax) {
        const other = replaceable(connection)
        if (!other) return false
        places.leave(other)
        other.socket.destroy()
        closed += 1
      }
      unkeyed.add(connection)
      count(connection.network, 1)
      return true
    },
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

/** The connection, of this network or of any, that is idle longest. */
function findIdle(connections: Iterable<Connection>, network?: string): Connection | undefined {
  for (const connection of connections) {
    if ((network === undefined || connection.network === network) && isIdle(connection))
      return connection
  }
  return undefined
}
