import type { CopiedTable } from '../copying/copy-store.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openReference } from '../sqlite/migrate.ts'
import type { Storage } from '../storage.ts'

/** The tables with the contents of a store whose last migration is `schema`, their columns in the order of the migrations. */
export function tablesAt(storage: Pick<Storage, 'tables'>, schema: string): CopiedTable[] {
  const local = storage.tables.filter(({ isLocal }) => isLocal).map(({ name }) => name)
  const numbered = storage.tables.filter(({ assignsIds }) => assignsIds).map(({ name }) => name)
  using reference = openReference(schema)
  return selectShapes(reference)
    .filter(({ name }) => !local.includes(name))
    .map((shape) => (numbered.includes(shape.name) ? { ...shape, assignsIds: true } : shape))
}

const columnTypes = { INTEGER: 'int64', TEXT: 'text', BLOB: 'bytes' } as const

/** The tables of a store, with their stored columns, by name. */
function selectShapes(connection: Connection): CopiedTable[] {
  const tables = connection.all<[string]>(
    `select name from sqlite_schema where type = 'table' and substr(name, 1, 7) <> 'sqlite_'
      and name <> 'migrations' order by name`,
  )
  return tables.map(([name]) => {
    const columns = connection.all<[string, keyof typeof columnTypes, bigint]>(
      'select name, type, pk from pragma_table_xinfo(?1) where hidden = 0 order by cid',
      [name],
    )
    const key = columns.filter(([, , place]) => place > 0n)
    return {
      name,
      key: key.sort(([, , a], [, , b]) => Number(a - b)).map(([column]) => column),
      columns: Object.fromEntries(
        columns.map(([column, type]) => [column, { type: columnTypes[type] }]),
      ),
    }
  })
}
