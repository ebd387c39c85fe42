import { storage } from '../../app/storage.ts'
import type { Environment } from '../../config/settings.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import type { Table } from '../../db/storage.ts'
import { copiedTables } from '../copy/copy-store.ts'
import { isCurrentSchema } from './current-schema.ts'
import type { BackedUpTable } from './manifest.ts'
import { resetTables, selectOwner, selectSchema, selectShapes } from './queries.ts'

/**
 * Empties the tables of a copy that describe the place of the store. Returns the others as they are declared, or, of another
 * schema, as they are.
 */
export function keepContents(connection: Connection): BackedUpTable[] {
  const found = selectShapes(connection)
  const isThere = ({ name }: Table) => found.some((shape) => shape.name === name)
  const ofPlace = storage.tables.filter(({ isOfPlace }) => isOfPlace)
  resetTables(connection, ofPlace.filter(isThere))
  if (isCurrentSchema(selectSchema(connection))) return copiedTables(storage).map(plain)
  const declared = new Map(storage.tables.map((table) => [table.name, table]))
  return found
    .filter(({ name }) => !declared.get(name)?.isOfPlace)
    .map((shape) => ({ ...shape, ...assigning(declared.get(shape.name)) }))
}

/** What a manifest says of a table: no functions, and no columns that are not stored. */
function plain(table: Table): BackedUpTable {
  const stored = Object.entries(table.columns).filter(([, { isGenerated }]) => !isGenerated)
  return {
    name: table.name,
    key: table.key,
    columns: Object.fromEntries(
      stored.map(([name, { type, isNullable }]) => [
        name,
        isNullable ? { type, isNullable } : { type },
      ]),
    ),
    ...assigning(table),
  }
}

function assigning(table: Table | undefined): Pick<BackedUpTable, 'assignsIds'> {
  return table?.assignsIds ? { assignsIds: true } : {}
}

/** The environment of a store; null where it belongs to none. */
export function environmentIn(
  connection: Connection,
  tables: readonly Pick<BackedUpTable, 'name'>[],
): Environment | null {
  return tables.some(({ name }) => name === 'environment') ? selectOwner(connection) : null
}
