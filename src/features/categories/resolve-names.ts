import { canonicalNameOf } from '../../contract/name-key.ts'
import type { Tx } from '../../db/db.ts'
import { nearestName } from '../../nearest-name.ts'
import { findAlike, insertCategories, selectFirstNames } from './queries.ts'

/** Ids of categories by the names that records have for them; the names that were added; of others the nearest that there is. */
export type Names = {
  found: ReadonlyMap<string, bigint>
  created: readonly string[]
  nearest: ReadonlyMap<string, string>
}

type Record = { category?: string; categoryId?: bigint }

/** Comparisons take time inside the transaction: only so many unknown names are compared. */
const comparedMax = 10

/** Resolves the categories that records name; unknown ones of records without `categoryId` can be added. */
export async function resolveNames(
  tx: Tx,
  records: readonly Record[],
  { createCategories }: { createCategories: boolean },
): Promise<Names> {
  const names = [...new Set(records.flatMap(({ category }) => category ?? []))]
  if (names.length === 0) return { found: new Map(), created: [], nearest: new Map() }
  const alike = await findAlike(tx, names)
  const found = new Map([...alike].map(([name, { id }]) => [name, id]))
  const isNew = ({ category, categoryId }: Record) =>
    category !== undefined && categoryId === undefined && !found.has(category)
  const wanted = createCategories ? records.filter(isNew).map(({ category = '' }) => category) : []
  const firsts = new Map(wanted.toReversed().map((name) => [canonicalNameOf(name), name]))
  const created = [...new Set(wanted)].filter((name) => firsts.get(canonicalNameOf(name)) === name)
  const ids = await insertCategories(tx, created)
  const idOf = new Map(created.map((name, index) => [canonicalNameOf(name), ids[index] as bigint]))
  for (const name of wanted) found.set(name, idOf.get(canonicalNameOf(name)) as bigint)
  const unknown = names.filter((name) => !found.has(name)).slice(0, comparedMax)
  const known = unknown.length > 0 ? await selectFirstNames(tx) : []
  const nearest = new Map<string, string>()
  for (const name of unknown) {
    const other = nearestName(name, known)
    if (other !== undefined) nearest.set(name, other)
  }
  return { found, created, nearest }
}
