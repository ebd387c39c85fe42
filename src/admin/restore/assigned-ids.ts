import { existsSync } from 'node:fs'
import { storage } from '../../app/storage.ts'
import { ExitError } from '../../config/exit-error.ts'
import { connect } from '../../db/sqlite/connection.ts'
import { failureOf, isDamage } from '../../db/sqlite/failures.ts'
import { filesOf, listAside } from '../../db/sqlite/locking/replace-store.ts'
import { findLossAt, readTraces } from '../../db/sqlite/loss/read-file-state.ts'
import { recordedIds, unknownIdsMargin } from '../recover/recorded-ids.ts'
import { type LastIds, selectLastIds } from './queries.ts'

/**
 * How the last ids of the old store are known: as they are stored in it; as its log or its witness tells, for a damaged
 * one; or not at all.
 */
export type IdSource = 'store' | 'traces' | 'none'

type OldIds = { ids: LastIds; source: IdSource }

/**
 * The ids that must not be assigned again: those of the store at this path, and of those that restores have kept beside it,
 * such as one that was cut off after it had renamed the store. Changes neither the files nor their logs. Throws `usage` where
 * nothing tells the ids of a store that was there, unless `skippedIds` says how many they may be.
 */
export async function readOldIds(path: string, skippedIds: bigint | undefined): Promise<OldIds> {
  const [store, ...others] = [...(filesOf(path).length > 0 ? [path] : []), ...listAside(path)]
  if (store === undefined) return { ids: {}, source: 'none' }
  const { ids, source } = await readIds(store, skippedIds)
  if (source === 'none' && skippedIds === undefined) {
    throw new ExitError(
      'usage',
      `${filesOf(store)[0]} is damaged or cannot be read, and neither its log nor its witness tells which ids it has assigned since the backup. Nothing was changed. Say how many ids of each table are to stay unused: --skip-ids N, 0 for none.`,
    )
  }
  // The next store had more than their ids when it began.
  const ofOthers = await Promise.all(others.map((other) => readIds(other, 0n)))
  return { ids: highest([ids, ...ofOthers.map((other) => other.ids)]), source }
}

async function readIds(path: string, skippedIds: bigint | undefined): Promise<OldIds> {
  // SQLite reads a damaged store as if nothing followed the damage.
  const isWhole = !isDamaged(path)
  const stored = await readAssignedIds(path)
  if (isWhole && stored !== undefined) return { ids: stored, source: 'store' }
  const told = recordedIds({ ...readTraces(path), fileRow: undefined })
  if (Object.keys(told).length === 0) return { ids: stored ?? {}, source: 'none' }
  const more = skippedIds === undefined ? unknownIdsMargin : 0n
  const ids = Object.entries(highest([told, stored ?? {}])).map(([table, id]) => [table, id + more])
  return { ids: Object.fromEntries(ids), source: 'traces' }
}

function isDamaged(path: string): boolean {
  try {
    return findLossAt(path) !== undefined
  } catch (error) {
    if (isDamage(error)) return true
    throw error
  }
}

/** The last ids that are stored in a file, in the tables that it has; `undefined` where it cannot be read. */
async function readAssignedIds(path: string): Promise<LastIds | undefined> {
  if (!existsSync(path)) return undefined
  try {
    // Reading a log makes files beside the database; without one nothing is to be made.
    const connection = connect(path, existsSync(`${path}-wal`) ? 'read' : 'immutable')
    try {
      return await selectLastIds(connection, storage.tables)
    } finally {
      connection.close()
    }
  } catch (error) {
    if (failureOf(error) === undefined) throw error
    return undefined
  }
}

/** The highest id of each table. */
function highest(all: readonly LastIds[]): LastIds {
  const ids: Record<string, bigint> = {}
  for (const [table, id] of all.flatMap((one) => Object.entries(one))) {
    if (id > (ids[table] ?? -1n)) ids[table] = id
  }
  return ids
}
