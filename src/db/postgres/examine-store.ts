import type pg from 'pg'
import { OpenError } from '../errors.ts'
import type { Storage } from '../storage.ts'
import { selectMark, type TransferMark, transferMarkTable } from '../transfer-mark.ts'
import { look } from './migrate.ts'
import { sqlOn } from './sql.ts'

/** What is in a database: nothing, a store, or what an interrupted transfer or restore has left. */
type FoundStore =
  | { state: 'empty' | 'store'; mark?: undefined }
  | { state: 'unfinished'; mark: TransferMark }

/** Examines a database. Without rows besides those that the migrations insert, it is empty. Throws `newerSchema`. */
export async function examineStore(
  client: pg.ClientBase,
  name: string,
  { tables }: Pick<Storage, 'tables'>,
): Promise<FoundStore> {
  const { tables: present } = await look(client, name)
  const mark = present.includes(transferMarkTable) ? await selectMark(sqlOn(client)) : undefined
  if (mark?.state === 'arriving') return { state: 'unfinished', mark }
  for (const { name, firstRows = [] } of tables.filter((table) => present.includes(table.name))) {
    const { rows } = await client.query(`select 1 from ${name} limit $1`, [firstRows.length + 1])
    if (rows.length > firstRows.length) return { state: 'store' }
  }
  return { state: 'empty' }
}

/** The error for writing a store where there is one already. */
export function storeExists(name: string): OpenError {
  return new OpenError(
    'configuration',
    `There is a store at ${name} already. Nothing was changed; name a database without one.`,
  )
}
