import type { Connection } from './connection.ts'

/**
 * Lets reads that run in one turn of the event loop see one state of the database: to begin and to end a read costs
 * as much as the page that it reads. Reads of a later turn begin anew, so none sees what is older than its request.
 */
export function createSnapshots() {
  let running = 0

  return async <T>(connection: Connection, read: () => Promise<T>): Promise<T> => {
    if (running === 0) connection.exec('begin')
    running += 1
    try {
      return await read()
    } finally {
      running -= 1
      if (running === 0) end(connection)
    }
  }
}

function end(connection: Connection) {
  try {
    if (connection.isTransaction) connection.exec('commit')
  } catch {
    // What was read is known; a connection that fails is found out by the next read.
  }
}
