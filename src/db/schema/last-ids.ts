import type { Log, Sql } from '../db.ts'
import { selectLastGiven } from '../lists/steps.ts'
import type { Storage, Table } from '../storage.ts'

/** The last assigned id by table. */
export type LastIds = Readonly<Record<string, bigint>>

const idMax = 2n ** 63n - 1n

/** The id so many above another, or the greatest that there is. */
export function idAbove(id: bigint, count: bigint): bigint {
  return id > idMax - count ? idMax : id + count
}

/** The ids that were assigned at a place. `isExact`: a whole store tells them, so none above was assigned there. */
export type AssignedIds = { ids: LastIds; isExact: boolean }

/** Where it is not known which ids were assigned, this many more of each table stay unused: a guess. */
export const unknownIdsMargin = 1_000_000n

/** The highest id of each table. */
export function highestIds(all: readonly (LastIds | undefined)[]): Record<string, bigint> {
  const ids: Record<string, bigint> = {}
  for (const one of all) {
    for (const table in one) {
      const id = one[table] ?? 0n
      if (id > (ids[table] ?? -1n)) ids[table] = id
    }
  }
  return ids
}

/** Makes the tables of records assign ids from this one on, unless theirs are higher. Runs in a transaction. */
export async function startIds(
  sql: Sql,
  { tables }: Pick<Storage, 'tables'>,
  firstId: bigint,
): Promise<void> {
  for (const { name, assignsIds, survivesReset } of tables)
    if (assignsIds && !survivesReset) await sql.skipIds(name, firstId - 1n)
}

/** The last ids that these tables have assigned. */
export async function readLastIds(sql: Sql, tables: readonly Table[]): Promise<LastIds> {
  const ids: Record<string, bigint> = {}
  for (const { name, assignsIds } of tables)
    if (assignsIds) ids[name] = await selectLastGiven(sql, name)
  return ids
}

/**
 * Raises the last id of each table of a copied store to `more` above its own and the known one, and begins a new log of
 * changes. Returns the last ids.
 */
export async function raiseLastIds(
  sql: Sql,
  { tables, log }: { tables: readonly Table[]; log?: Log | undefined },
  { known, more }: { known: LastIds; more: bigint },
): Promise<LastIds> {
  for (const [name, own] of Object.entries(await readLastIds(sql, tables))) {
    const used = known[name] ?? 0n
    await sql.skipIds(name, idAbove(used > own ? used : own, more))
  }
  await log?.restart(sql)
  return readLastIds(sql, tables)
}
