import type { TableShape } from '../copying/copying.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openReference } from '../sqlite/migrate.ts'
import type { Storage, Table } from '../storage.ts'

/** The tables of a store whose last migration is `schema`, or of this program, in the order of their names. */
export function tablesAt(
  { tables }: Pick<Storage, 'tables'>,
  schema?: string,
): (Table & TableShape)[] {
  using reference = openReference(schema)
  return shapesIn(reference).map((shape) => ({
    ...tables.find(({ name }) => name === shape.name),
    ...shape,
  }))
}

/** Why a store is copied: to have a second one, or to go on elsewhere instead. */
export type Reason = 'copy' | 'move'

/** Those with the contents of a store, and not those about its place. */
export function copiedTables(
  storage: Pick<Storage, 'tables'>,
  { schema, reason = 'copy' }: { schema?: string | undefined; reason?: Reason | undefined } = {},
) {
  return tablesAt(storage, schema).filter((table) => isCopied(table, reason))
}

export function isCopied({ isLocal, movesAlong }: Partial<Table>, reason: Reason): boolean {
  return !isLocal || (reason === 'move' && movesAlong === true)
}

const columnTypes = { INTEGER: 'bigint', TEXT: 'text', BLOB: 'bytes' } as const

/** The tables of a database with the schema of the migrations. */
export function shapesIn(reference: Connection): TableShape[] {
  const tables = reference.all<[string]>(
    `select name from sqlite_schema where type = 'table' and substr(name, 1, 7) <> 'sqlite_'
      and name <> 'migrations' order by name`,
  )
  return tables.map(([table]) => {
    const columns = reference.all<[string, keyof typeof columnTypes, bigint, bigint]>(
      'select name, type, pk, hidden from pragma_table_xinfo(?1) order by cid',
      [table],
    )
    const stored = columns.filter(([, , , hidden]) => hidden === 0n)
    const key = columns.filter(([, , place]) => place > 0n)
    return {
      name: table,
      columns: stored.map(([name, type]) => ({ name, type: columnTypes[type] })),
      generated: columns.filter((column) => !stored.includes(column)).map(([name]) => name),
      key: key.sort(([, , a], [, , b]) => Number(a - b)).map(([name]) => name),
    }
  })
}
