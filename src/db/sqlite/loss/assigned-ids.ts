import { existsSync } from 'node:fs'
import { type AssignedIds, highestIds, type LastIds, readLastIds } from '../../schema/last-ids.ts'
import type { Table } from '../../storage.ts'
import { connect } from '../connection.ts'
import { failureOf, unlessDamaged } from '../failures.ts'
import { tablesIn } from '../migrate.ts'
import { recordedIds } from './find-loss.ts'
import { findDoubtAt, findLossAt, readTraces } from './read-file-state.ts'

/**
 * The ids that stores have assigned: the present one, and those that restores have kept beside it. Of a damaged store its log and
 * its witness tell. Changes neither the files nor their logs.
 */
export async function readAssignedIds(
  stores: readonly string[],
  tables: readonly Table[],
): Promise<AssignedIds> {
  const all = await Promise.all(stores.map((path) => readIds(path, tables)))
  // The next store had more than the ids of those that were kept before.
  return { ids: highestIds(all.map(({ ids }) => ids)), isExact: all[0]?.isExact === true }
}

async function readIds(path: string, tables: readonly Table[]): Promise<AssignedIds> {
  // SQLite reads a damaged store as if nothing followed the damage; and a copy of the file alone may be of any time.
  const isWhole =
    unlessDamaged(() => (findLossAt(path) ?? findDoubtAt(path)) === undefined) ?? false
  const stored = await readStoredIds(path, tables)
  if (isWhole && stored !== undefined) return { ids: stored, isExact: true }
  return { ids: highestIds([recordedIds(readTraces(path)), stored]), isExact: false }
}

/** The last ids that are stored in a file, in the tables that it has; `undefined` where it cannot be read. */
async function readStoredIds(path: string, tables: readonly Table[]): Promise<LastIds | undefined> {
  if (!existsSync(path)) return undefined
  try {
    // Reading a log makes files beside the database; without one nothing is to be made.
    using connection = connect(path, existsSync(`${path}-wal`) ? 'read' : 'immutable')
    const present = tablesIn(connection)
    const there = tables.filter(({ name }) => present.includes(name))
    return await readLastIds(connection, there)
  } catch (error) {
    if (failureOf(error) === undefined) throw error
    return undefined
  }
}
