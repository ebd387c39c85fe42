import type { Connection } from './connection.ts'

/**
 * Lets reads that run in one turn of the event loop see one state of the database: to begin and to end a read costs
 * as much as the page that it reads. Reads of a later turn begin anew, so none sees what is older than its request.
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

/** What was read is known; a connection that cannot leave its snapshot would read what is older than its request. */
function hasEnded(connection: Connection): boolean {
  try {
    if (connection.isTransaction) connection.exec('commit')
    return true
  } catch {
    return false
  }
}
