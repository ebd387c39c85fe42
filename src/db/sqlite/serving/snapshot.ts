import type { Connection } from '../connection.ts'

/**
 * Reads of one turn of the event loop share one snapshot: beginning and ending a read costs as much as reading its
 * page. Later turns take a new snapshot, so no read is older than its request.
 */
export function createSnapshots(giveUp: (connection: Connection) => void) {
  let running = 0

  return async <T>(connection: Connection, read: () => Promise<T>): Promise<T> => {
    if (running === 0) connection.exec('begin')
    running += 1
    try {
      return await read()
    } finally {
      running -= 1
      if (running === 0 && !hasEnded(connection)) giveUp(connection)
    }
  }
}

/** The results are valid; a connection that cannot end its snapshot is dropped, since later reads would be stale. */
function hasEnded(connection: Connection): boolean {
  try {
    if (connection.isTransaction) connection.exec('commit')
    return true
  } catch {
    return false
  }
}
