import type pg from 'pg'
import type { HeldSource, HeldTarget } from '../copying/copying.ts'
import type { Storage, Table } from '../storage.ts'
import { selectMark, type TransferMark, writeMark } from '../transfer-mark.ts'
import { createStore, examineStore, look, requireSchemaIn, storeExists } from './migrate.ts'
import { type Database, explained, openAlone, openClient } from './open-client.ts'
import { sqlOn } from './sql.ts'
import { holdStore } from './store-lock.ts'
import { readerOn } from './store-reader.ts'
import { beginFilling } from './store-writer.ts'

/** How long other programs may hold a table. */
const lockMax = '5s'

/** Holds a database: an advisory lock excludes services, and locks on the tables every other writer. Throws OpenError. */
export function holdPostgresSource(
  database: Database,
  tables: readonly Table[],
): Promise<HeldSource> {
  const { name } = database
  return openClient(database, async (client) => {
    await holdStore(client, name)
    await requireSchemaIn(client, name, tables)
    await client.query(
      `begin isolation level repeatable read; set local lock_timeout = '${lockMax}'`,
    )
    // Before the snapshot, which begins with the first read.
    await client.query(`lock table ${tables.map((table) => table.name).join(', ')} in share mode`)
    return {
      ...readerOn(client, name),
      mark: await selectMark(sqlOn(client)),
      setMark: (mark) => explained(name, () => commitMark(client, mark)),
      close: () => client.end(),
    }
  })
}

/** Holds a database without a store, or with that of an interrupted transfer. Throws OpenError. */
export function holdPostgresTarget(database: Database, storage: Storage): Promise<HeldTarget> {
  const { name } = database
  return openAlone(database, async (client) => {
    const { state, mark } = await examineStore(client, name, storage)
    if (state === 'store') throw storeExists(name)
    return {
      mark,
      async fill(next) {
        await markPlace(client, name, storage, next)
        return beginFilling(client, name)
      },
      // The lock ends with its connection.
      requireHeld: () => explained(name, async () => void (await client.query('select 1'))),
      release: () =>
        explained(name, async () => {
          await sqlOn(client).command('begin isolation level read committed')
          await commitMark(client, undefined)
        }),
      close: () => client.end(),
    }
  })
}

/** Creates or upgrades an empty store together with its mark: at no moment a service can start on it. */
async function markPlace(
  client: pg.ClientBase,
  name: string,
  storage: Storage,
  mark: TransferMark,
) {
  const { pending } = await look(client, name)
  await client.query('begin')
  await createStore(client, storage, pending)
  await commitMark(client, mark)
}

/** Commits the transaction that is open. */
async function commitMark(client: pg.ClientBase, mark: TransferMark | undefined): Promise<void> {
  const sql = sqlOn(client)
  await writeMark(sql, mark)
  await sql.command('commit')
}
