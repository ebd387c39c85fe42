import { storage } from '../../app/storage.ts'
import type { Environment } from '../../config/settings.ts'
import { type CopiedTable, copiedTables } from '../../db/copying/copy-store.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import { openReference } from '../../db/sqlite/reference-schema.ts'
import type { Table } from '../../db/storage.ts'
import { selectOwner, selectShapes } from './queries.ts'

/** The tables with the contents of a store with this schema, their columns in the order of the migrations. */
export function tablesOf(schema: string): CopiedTable[] {
  const ofPlace = storage.tables.filter(({ isOfPlace }) => isOfPlace).map(({ name }) => name)
  const declared = new Map(copiedTables(storage).map((table) => [table.name, table]))
  const reference = openReference(schema)
  try {
    return selectShapes(reference)
      .filter(({ name }) => !ofPlace.includes(name))
      .map((shape) => withDeclared(shape, declared.get(shape.name)))
  } finally {
    reference.close()
  }
}

function withDeclared(shape: CopiedTable, table: Table | undefined): CopiedTable {
  const columns = Object.entries(shape.columns).map(([name, column]) => {
    const computed = table?.columns[name]?.computed
    return [name, computed ? { ...column, computed } : column]
  })
  return {
    ...shape,
    columns: Object.fromEntries(columns),
    ...(table?.assignsIds ? { assignsIds: true } : {}),
  }
}

/** The environment of a store; null where it belongs to none. */
export function environmentIn(
  connection: Connection,
  tables: readonly Pick<CopiedTable, 'name'>[],
): Environment | null {
  return tables.some(({ name }) => name === 'environment') ? selectOwner(connection) : null
}
