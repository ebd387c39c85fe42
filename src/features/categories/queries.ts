import { canonicalNameOf, nameKeyOf } from '../../contract/name-key.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { defineTable } from '../../db/records/records.ts'
import { columnsOf } from '../../db/records/rows.ts'
import { writesOf } from '../record-writes.ts'
import { refusal } from '../refuse.ts'
import { type CategoriesFilter, type Category, category } from './contract.ts'

export const categories = defineTable(category.plural, category.Item, {
  computed: {
    name_key: { from: 'name', compute: nameKeyOf, isUnique: true },
    canonical_name: { from: 'name', compute: canonicalNameOf, isUnique: true },
  },
})

export const categoriesList = listStatements<CategoriesFilter, Category>('categories', {
  ...categories,
  conditionsOf: ({ id, name }) => [
    ...(id === undefined ? [] : [{ column: 'id', anyOf: id }]),
    ...(name === undefined ? [] : [{ column: 'name_key', startsWith: nameKeyOf(name) }]),
  ],
})

export const selectCategory = queryById(categories)

/** Each refuses with `category_exists` a name that looks like another; a concurrent one makes it fail, and its retry finds that. */
export const categoryWrites = writesOf(category, categories, {
  rowOf: ({ name }) => canonicalNameOf(name),
  async require(tx, { name }, before) {
    if (name !== before?.name) await requireUnlike(tx, name, before?.id)
  },
})

type Named = { id: bigint; name: string }
type NamedRow = [id: bigint, name: string, key: string, canonical: string]

const alikeColumns = columnsOf('text', 'name', 'name_key', 'canonical_name')

/** The first category whose name looks like each of these, besides `except`; by these. */
export async function findAlike(
  sql: Sql,
  names: readonly string[],
  except?: bigint,
): Promise<Map<string, Named>> {
  const keys = names.map((name) => [name, nameKeyOf(name), canonicalNameOf(name)])
  const { from, parameters } = sql.rows(alikeColumns, keys)
  const selected =
    'select categories.id, categories.name, categories.name_key, categories.canonical_name'
  const rows = await sql.all<NamedRow>(
    `${selected} from ${from} join categories on categories.canonical_name = input.canonical_name
    union ${selected} from ${from} join categories on categories.name_key = input.name_key order by 1`,
    parameters,
  )
  const first = new Map<string, Named>()
  for (const [id, name, key, canonical] of rows.toReversed()) {
    if (id === except) continue
    first.set(`key ${key}`, { id, name })
    first.set(`canonical ${canonical}`, { id, name })
  }
  const found = new Map<string, Named>()
  for (const [name = '', key, canonical] of keys) {
    const [one, other = one] = [`key ${key}`, `canonical ${canonical}`].flatMap(
      (form) => first.get(form) ?? [],
    )
    if (one && other) found.set(name, other.id < one.id ? other : one)
  }
  return found
}

/** Adds categories of names that look like no others. A concurrent transaction that adds one of them makes it fail. */
export async function insertCategories(tx: Tx, names: readonly string[]): Promise<bigint[]> {
  if (names.length === 0) return []
  const added = names.map((name) => ({ name }))
  return (await categoryWrites.create(tx, names, added)).map(({ id }) => id)
}

async function requireUnlike(sql: Sql, name: string, id?: bigint): Promise<void> {
  const other = (await findAlike(sql, [name], id)).get(name)
  if (other === undefined) return
  throw refusal(
    'category_exists',
    `There is a category called ${JSON.stringify(other.name)}, with the id ${other.id}; names that look alike are the same.`,
  )
}
