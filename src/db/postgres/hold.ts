import type pg from 'pg'
import type { HeldStore, StoreWriter } from '../copying/copying.ts'
import { type StoreMark, selectMark, storeMarkTable, writeMark } from '../schema/store-mark.ts'
import type { Storage } from '../storage.ts'
import {
  createStore,
  examineStore,
  readSchemaState,
  requireSchemaIn,
  storeExists,
} from './migrate.ts'
import { type Database, explained, openAlone, openClient } from './open-client.ts'
import { sqlOn } from './sql.ts'
import { holdStore } from './store-lock.ts'
import { beginFilling } from './store-writer.ts'

/** Holds a database with a store that is up to date, or marked: an advisory lock excludes services and commands. Throws OpenError. */
export function holdPostgresStore(
  database: Database,
  { tables }: Pick<Storage, 'tables'>,
): Promise<HeldStore> {
  const { name } = database
  return openClient(database, async (client) => {
    await holdStore(client, name)
    const hasMarks = (await readSchemaState(client, name)).tables.includes(storeMarkTable)
    const mark = hasMarks ? await selectMark(sqlOn(client)) : undefined
    if (mark === undefined) await requireSchemaIn(client, name, tables)
    return {
      mark,
      setMark: (next) => explained(name, () => replaceMark(client, next)),
      close: () => client.end(),
    }
  })
}

/** A place for a store, where no process can serve one meanwhile. */
type HeldTarget = {
  /** Empties the place, and fills it with a store that has this mark. */
  fill(mark: StoreMark): Promise<StoreWriter>
  /** Takes the mark away: the store may be served. */
  release(): Promise<void>
  close(): Promise<void>
}

/** Holds a database without a store, or with that of an interrupted restore. Throws OpenError. */
export function holdPostgresTarget(database: Database, storage: Storage): Promise<HeldTarget> {
  const { name } = database
  return openAlone(database, async (client) => {
    const { state } = await examineStore(client, name, storage)
    if (state === 'store') throw storeExists(name)
    return {
      async fill(mark) {
        await markPlace(client, name, mark)
        return beginFilling(client, name)
      },
      release: () => explained(name, () => replaceMark(client, undefined)),
      close: () => client.end(),
    }
  })
}

/** Creates or upgrades an empty store together with its mark: at no moment a service can start on it. */
async function markPlace(client: pg.ClientBase, name: string, mark: StoreMark) {
  const { pending } = await readSchemaState(client, name)
  await client.query('begin')
  await createStore(client, pending)
  await commitMark(client, mark)
}

async function replaceMark(client: pg.ClientBase, mark: StoreMark | undefined): Promise<void> {
  await sqlOn(client).command('begin isolation level read committed')
  await commitMark(client, mark)
}

/** Commits the transaction that is open. */
async function commitMark(client: pg.ClientBase, mark: StoreMark | undefined): Promise<void> {
  const sql = sqlOn(client)
  await writeMark(sql, mark)
  await sql.command('commit')
}
