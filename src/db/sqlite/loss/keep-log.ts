import { type Connection, connect, type Mode } from '../connection.ts'
import { selectServedMark } from './store-row.ts'

/**
 * Connects a command to a store. Closing it leaves the log of a store that is marked as served: SQLite would delete the log
 * with the last connection, and a start after a crash judges by the log.
 */
export function connectKeepingLog(path: string, mode?: Mode): Connection {
  const connection = connect(path, mode)
  const closeAlone = connection.close
  return Object.assign(connection, {
    close() {
      const keeper = isServed(connection) ? keepOpen(path) : undefined
      closeAlone()
      keeper?.close()
    },
  })
}

function isServed(connection: Connection): boolean {
  try {
    // A snapshot may be older than the mark.
    if (connection.isTransaction) connection.exec('rollback')
    return selectServedMark(connection)
  } catch {
    return true
  }
}

/** A connection that keeps SQLite from deleting the log, and cannot delete it itself: it may not write. */
function keepOpen(path: string): Connection | undefined {
  try {
    const keeper = connect(path, 'read')
    keeper.all('select count(*) from sqlite_schema')
    return keeper
  } catch {
    return undefined
  }
}
