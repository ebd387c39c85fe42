import { existsSync } from 'node:fs'
import { highestIds, type IdSource, idAbove, type LastIds, readLastIds } from '../../last-ids.ts'
import type { Table } from '../../storage.ts'
import { connect } from '../connection.ts'
import { failureOf, unlessDamaged } from '../failures.ts'
import { tablesIn } from '../migrate.ts'
import { recordedIds, unknownIdsMargin } from './find-loss.ts'
import { findLossAt, readTraces } from './read-file-state.ts'

export type AssignedIds = { ids: LastIds; source: IdSource }

/**
 * The ids that stores have assigned: the present one, and those that restores have kept beside it, such as one that was cut off
 * after it had renamed the store. Where only traces tell, `skippedIds` replaces the usual margin. Changes neither the files
 * nor their logs.
 */
export async function readAssignedIds(
  [present, ...kept]: readonly string[],
  tables: readonly Table[],
  skippedIds: bigint | undefined,
): Promise<AssignedIds> {
  if (present === undefined) return { ids: {}, source: 'none' }
  const { ids, source } = await readIds(present, tables, skippedIds)
  // The next store had more than their ids when it began.
  const ofOthers = await Promise.all(kept.map((other) => readIds(other, tables, 0n)))
  return { ids: highestIds([ids, ...ofOthers.map((other) => other.ids)]), source }
}

async function readIds(
  path: string,
  tables: readonly Table[],
  skippedIds: bigint | undefined,
): Promise<AssignedIds> {
  // SQLite reads a damaged store as if nothing followed the damage.
  const isWhole = unlessDamaged(() => findLossAt(path) === undefined) ?? false
  const stored = await readStoredIds(path, tables)
  if (isWhole && stored !== undefined) return { ids: stored, source: 'store' }
  const told = recordedIds(readTraces(path))
  if (Object.keys(told).length === 0) return { ids: stored ?? {}, source: 'none' }
  const more = skippedIds === undefined ? unknownIdsMargin : 0n
  const ids = Object.entries(highestIds([told, stored])).map(([table, id]) => [
    table,
    idAbove(id, more),
  ])
  return { ids: Object.fromEntries(ids), source: 'traces' }
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
