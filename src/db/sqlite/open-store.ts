import { checkLibrary } from './check-library.ts'
import { type Connection, connect } from './connection.ts'
import { enterDatabase, type Purpose, refuseOpenElsewhere } from './locking/lock.ts'
import { explainOpening, requireFinished } from './locking/prepare.ts'
import { refuseUntouched } from './migrate.ts'

type Opening = {
  /** The real path. */
  path: string
  purpose: Purpose
  /** What the operator can do where another process serves it. */
  advice?: string
  /** Throws where the database is not to be used. It is called before the database is opened for writing. */
  check?(connection: Connection): unknown
  /** Whether a missing file is created. */
  create?: boolean
}

/**
 * Opens a database: its lock, the evidence of a loss, its schema, a connection. `begin` gets the connection, and what closes
 * it and releases the lock; both happens where it throws. Throws OpenError.
 */
export async function openStore<T>(
  { path, purpose, advice, check, create = false }: Opening,
  begin: (connection: Connection, close: () => void) => T | Promise<T>,
): Promise<T> {
  const opened = new DisposableStack()
  try {
    checkLibrary()
    const lock = opened.adopt(enterDatabase(path, purpose, advice), ({ release }) => release())
    // A restore or a transfer may have begun, and been killed, since the path was prepared.
    requireFinished(path)
    const isChecked = check === undefined || refuseUntouched(path, check)
    if (purpose === 'serve') refuseOpenElsewhere(path, lock)
    const connection = opened.adopt(connect(path, create ? 'create' : 'existing'), ({ close }) =>
      close(),
    )
    if (!isChecked) check(connection)
    return await begin(connection, () => opened.dispose())
  } catch (error) {
    opened.dispose()
    throw explainOpening(path, error)
  }
}
