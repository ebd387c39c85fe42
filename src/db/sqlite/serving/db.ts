import type { Db } from '../../db.ts'
import type { CommandOptions, ServeOptions } from '../../opening/open-options.ts'
import { startIds } from '../../schema/last-ids.ts'
import { noStore } from '../../schema/require-schema.ts'
import { enforceSchema } from '../../schema/schema-difference.ts'
import { compareSchema } from '../compare-schema.ts'
import { type Connection, connect, inMemory } from '../connection.ts'
import { enterDatabase } from '../locking/lock.ts'
import { identifyStore } from '../loss/witness.ts'
import { lastMigration, migrate, pendingFor, requireSchemaIn } from '../migrate.ts'
import { openStore } from '../open-store.ts'
import { inline } from './inline.ts'
import { serve } from './serve.ts'
import { identifyDatabase } from './served-files.ts'
import { emptyLog } from './writer.ts'

type OnFile = { path: string }

/**
 * Opens a database to serve it, exclusively. Writes run in a worker. A log that an unclean exit left is checkpointed
 * before the first write. Throws OpenError.
 */
export async function openServedSqlite(options: ServeOptions & OnFile): Promise<Db> {
  const { warn } = options
  const check = (found: Connection, path: string) => refuseChanged(found, path, warn)
  const opening = { path: options.path, purpose: 'serve', check, warn } as const
  return openStore(opening, async ({ connection, path, close }) => {
    await migrateStore(connection, path, options)
    identifyStore(connection, path, warn)
    const obstacle = emptyLog(connection)
    if (obstacle) warn(`${path} is served read-only: ${obstacle}`)
    const state = obstacle ? 'closed' : 'open'
    return serve(options, connection, close, { files: identifyDatabase(path), state })
  })
}

/** Throws the errors of `pendingFor`, and `damaged` for a store whose schema is not that of its migrations; may warn. */
function refuseChanged(connection: Connection, path: string, warn: ServeOptions['warn']): void {
  pendingFor(connection, path)
  const last = lastMigration(connection)
  if (last === undefined) return
  enforceSchema(compareSchema(connection, { last }), { name: path, engine: 'sqlite', warn })
}

/** Opens a database in memory: on this thread, with one connection. */
export async function openSqliteInMemory(
  options: Omit<ServeOptions, 'onLost' | 'storageUrl'>,
): Promise<Db> {
  const connection = connect(inMemory)
  await migrateStore(connection, inMemory, options)
  return inline(connection, { ...options, path: inMemory })
}

/**
 * Opens a database beside its serving process, on this thread, with one connection. Migrates only a database that is not
 * served. Throws OpenError.
 */
export async function openInlineSqlite(options: CommandOptions & OnFile): Promise<Db> {
  const { isReadOnly, warn = () => undefined } = options
  const isRefused = options.outdated === 'refused'
  const mustExist = isRefused || options.mustExist
  const check = (found: Connection, path: string) => {
    if (isRefused) {
      requireSchemaIn(found, path, options)
      if (options.enforcesSchema) refuseChanged(found, path, warn)
      return
    }
    pendingFor(found, path)
    if (mustExist && lastMigration(found) === undefined) throw noStore(path)
  }
  const opening = {
    path: options.path,
    purpose: 'use',
    check,
    mustExist,
    isReadOnly,
    warn,
  } as const
  return openStore(opening, async ({ connection, path, close }) => {
    if (!isRefused && pendingFor(connection, path).length > 0) {
      using _lock = enterDatabase(path, 'serve')
      migrate(connection, path, options)
    }
    return inline(connection, { ...options, path, close })
  })
}

async function migrateStore(
  connection: Connection,
  path: string,
  options: Pick<ServeOptions, 'storage' | 'firstId' | 'onCreate'>,
): Promise<void> {
  const { storage, firstId } = options
  migrate(connection, path, options)
  if (firstId === undefined) return
  connection.exec('begin immediate')
  await startIds(connection, storage, firstId)
  connection.exec('commit')
}
