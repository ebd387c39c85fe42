import { selectLastGiven } from '../../db/lists/steps.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import type { Table } from '../../db/storage.ts'

/** The last assigned id by table. */
export type LastIds = Readonly<Record<string, bigint>>

/** The last ids that a store of any schema has assigned, of those of the tables that it has. */
export async function selectLastIds(
  connection: Connection,
  tables: readonly Table[],
): Promise<LastIds> {
  const rows = connection.all<[string]>("select name from sqlite_schema where type = 'table'")
  const names = rows.map(([name]) => name)
  const ids: Record<string, bigint> = {}
  for (const { name, assignsIds } of tables) {
    if (assignsIds && names.includes(name)) ids[name] = await selectLastGiven(connection, name)
  }
  return ids
}

/** For a file that counts only once it is complete and synced. */
export function writeUnsynced(connection: Connection): void {
  connection.exec('pragma synchronous = off')
}
