import { existsSync } from 'node:fs'
import { connect } from '../../db/sqlite/connection.ts'
import { failureOf } from '../../db/sqlite/failures.ts'
import { readFiles } from '../../db/sqlite/judge-files.ts'
import type { Table } from '../../db/storage.ts'
import { knownIds } from '../recover/recover-store.ts'
import { type LastIds, selectLastIds } from './queries.ts'

/**
 * The last ids that a store in a file has assigned, of the tables that it has. Returns `undefined` where it cannot be
 * read. Changes neither the file nor its log.
 */
export async function readAssignedIds(
  path: string,
  tables: readonly Table[],
): Promise<LastIds | undefined> {
  if (!existsSync(path)) return undefined
  try {
    // Reading a log makes files beside the database; without one nothing is to be made.
    const connection = connect(path, existsSync(`${path}-wal`) ? 'read' : 'immutable')
    try {
      return await selectLastIds(connection, tables)
    } finally {
      connection.close()
    }
  } catch (error) {
    if (failureOf(error) === undefined) throw error
    return undefined
  }
}

/** The last ids that the files of a damaged store tell of, also behind the damage. */
export function readToldIds(path: string): LastIds {
  const found = readFiles(path, { isTolerant: true })
  return found ? knownIds(found) : {}
}

/** The highest id of each table. */
export function highest(all: readonly LastIds[]): LastIds {
  const ids: Record<string, bigint> = {}
  for (const [table, id] of all.flatMap((one) => Object.entries(one))) {
    if (id > (ids[table] ?? -1n)) ids[table] = id
  }
  return ids
}
