import { existsSync } from 'node:fs'
import { type Connection, connect } from './connection.ts'
import { explainOpening } from './explain-opening.ts'
import { enterDatabase, type Purpose, refuseOpenElsewhere } from './locking/lock.ts'
import { prepareFile, requireUnobstructed } from './locking/prepare.ts'
import { refuseUntouched } from './migrate.ts'

type Opening = {
  path: string
  purpose: Purpose
  /** Throws where the database is not to be used. It is called before the database is opened for writing. */
  check?(connection: Connection, path: string): unknown
  /** Whether a missing file is refused; else it is created. */
  mustExist?: boolean | undefined
  /** Whether it is only read: the log that an unclean exit left stays. */
  isReadOnly?: boolean | undefined
  /** Called with a sentence about what the files may lack. */
  warn?: ((sentence: string) => void) | undefined
}

/** An open database: its real path, and what closes it and releases its lock. */
type Opened = { connection: Connection; path: string; close(): void }

/**
 * Opens a database: its place, its lock, the evidence of a loss, its schema, a connection. Where `begin` throws, it is closed.
 * Throws OpenError.
 */
export async function openStore<T>(
  { path: given, purpose, check, mustExist = false, isReadOnly = false, warn }: Opening,
  begin: (opened: Opened) => T | Promise<T>,
): Promise<T> {
  const path = prepareFile(given, { mustExist })
  const opened = new DisposableStack()
  try {
    const lock = opened.use(enterDatabase(path, purpose))
    if (lock.doubt !== undefined) warn?.(lock.doubt)
    // A restore may have begun, and been killed, since the path was prepared.
    requireUnobstructed(path)
    const isChecked = check === undefined || refuseUntouched(path, check)
    if (purpose !== 'use') refuseOpenElsewhere(path, lock)
    // Without a log, a connection that cannot write would create one and leave it.
    const isRead = isReadOnly && existsSync(`${path}-wal`)
    const connection = opened.use(
      connect(path, isRead ? 'read' : mustExist ? 'existing' : 'create'),
    )
    if (!isChecked) check(connection, path)
    return await begin({ connection, path, close: () => opened.dispose() })
  } catch (error) {
    opened.dispose()
    throw explainOpening(path, error)
  }
}
