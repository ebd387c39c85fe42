import type pg from 'pg'
import type { HeldSource, HeldTarget } from '../copying/held-store.ts'
import type { Storage, Table } from '../storage.ts'
import {
  deleteMark,
  insertMark,
  selectMark,
  type TransferMark,
  transferMarkTable,
} from '../transfer-mark.ts'
import { explainCopying } from './explain-copying.ts'
import {
  createStore,
  enforceSettings,
  findSettingIssues,
  look,
  requireSchemaIn,
} from './migrate.ts'
import { connectToPrimary } from './primary.ts'
import { readAddress } from './read-address.ts'
import { sqlOn } from './sql.ts'
import { holdStore } from './store-lock.ts'
import { readerOn } from './store-reader.ts'
import { beginFilling, requireEmpty } from './store-writer.ts'

type Database = { text: string; name: string }

/** How long other programs may hold a table. */
const lockMax = '5s'

/** Holds a database: an advisory lock excludes services, and locks on the tables every other writer. Throws OpenError. */
export async function holdPostgresSource(
  { text, name }: Database,
  tables: readonly Table[],
): Promise<HeldSource> {
  const client = await connectToPrimary(readAddress(text))
  try {
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
  } catch (error) {
    await client.end()
    throw explainCopying(name, error)
  }
}

/** Holds a database without a store, or with that of an interrupted transfer. Throws OpenError. */
export async function holdPostgresTarget(
  { text, name }: Database,
  storage: Storage,
): Promise<HeldTarget> {
  const client = await connectToPrimary(readAddress(text))
  try {
    enforceSettings(await findSettingIssues(client), name, () => undefined)
    await holdStore(client, name)
    const mark = await findUnfinished(client, name, storage.tables)
    return {
      mark,
      async fill(next) {
        await markPlace(client, name, storage, next)
        const writer = await beginFilling(client, name)
        // The connection holds the store until the end of the transfer.
        return { ...writer, close: async () => undefined }
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
  } catch (error) {
    await client.end()
    throw explainCopying(name, error)
  }
}

/**
 * The mark of a transfer that has not ended; `undefined` for a database without a store. Throws `configuration` for one
 * with a store.
 */
async function findUnfinished(
  client: pg.ClientBase,
  name: string,
  tables: readonly Table[],
): Promise<TransferMark | undefined> {
  const { rows } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = any(current_schemas(false))',
  )
  const found = tables.filter((table) => rows.some((row) => row.name === table.name))
  const hasMarks = found.some((table) => table.name === transferMarkTable)
  const mark = hasMarks ? await selectMark(sqlOn(client)) : undefined
  if (mark?.state === 'arriving') return mark
  await requireEmpty(client, name, found)
  return undefined
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

/** In the transaction that is open. */
async function replaceMark(client: pg.ClientBase, mark: TransferMark | undefined): Promise<void> {
  const sql = sqlOn(client)
  await deleteMark(sql)
  if (mark) await insertMark(sql, mark)
}

async function commitMark(client: pg.ClientBase, mark: TransferMark | undefined): Promise<void> {
  await replaceMark(client, mark)
  await sqlOn(client).command('commit')
}

async function explained<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainCopying(name, error)
  }
}
