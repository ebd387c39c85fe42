import { canonicalNameOf } from '../../contract/name-key.ts'
import type { Tx } from '../../db/db.ts'
import { findAlike, insertCategories } from './queries.ts'

/** Ids of categories by the names that records have for them, and the names that were added. */
export type Names = {
  found: ReadonlyMap<string, bigint>
  created: readonly string[]
}

type Record = { category?: string; categoryId?: bigint }

/** Resolves the categories that records name; unknown ones of records without `categoryId` can be added. */
export async function resolveNames(
  tx: Tx,
  records: readonly Record[],
  { createCategories }: { createCategories: boolean },
): Promise<Names> {
  const names = [...new Set(records.flatMap(({ category }) => category ?? []))]
  if (names.length === 0) return { found: new Map(), created: [] }
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
  return { found, created }
}
