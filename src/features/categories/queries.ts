import { canonicalNameOf, nameKeyOf } from '../../contract/name-key.ts'
import { oneByOne, type Sql, type Tx } from '../../db/db.ts'
import { lockById, queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { column, defineRecord } from '../../db/records.ts'
import { columnsOf } from '../../db/rows.ts'
import type { Backfill } from '../../db/storage.ts'
import { requireMatch, type Target } from '../if-match.ts'
import { notFound, refusal } from '../refuse.ts'
import type { CategoriesFilter, Category, NewCategory } from './contract.ts'

const categories = defineRecord<Category>('categories', {
  id: column.id,
  name: column.text,
  description: column.optional(column.text),
})

export const categoriesList = listStatements<CategoriesFilter, Category>('categories', {
  ...categories,
  conditionsOf: ({ id, name }) => [
    ...(id === undefined ? [] : [{ column: 'id', anyOf: id }]),
    ...(name === undefined ? [] : [{ column: 'name_key', startsWith: nameKeyOf(name) }]),
  ],
})

export const selectCategory = queryById(categories)

/** Adds a category. Throws `category_exists`. */
export const insertCategory = oneByOne<NewCategory, Category>({
  name: 'insertCategory',
  rowOf: ({ name }) => canonicalNameOf(name),
  async run(tx, input) {
    const { name, description } = input
    for (;;) {
      await requireUnlike(tx, name)
      const [row] = await tx.all(
        `insert into categories (name, name_key, canonical_name, description) values (?1, ?2, ?3, ?4)
        on conflict do nothing returning id`,
        [name, nameKeyOf(name), canonicalNameOf(name), description ?? null],
      )
      // Without a row a concurrent transaction has taken the name; it may be free again.
      if (!row) continue
      const category = { ...input, id: row[0] as bigint }
      const { id } = category
      tx.record(input, { type: 'category.created', record: 'category', id, data: category })
      return category
    }
  },
})

/** Locks a category to change. Throws `not_found`, `precondition_failed`. */
export async function lockCategory(sql: Sql, target: Target): Promise<Category> {
  const { id } = target
  const category = await lockById(sql, categories, id)
  if (!category) throw notFound('category', id)
  requireMatch(target, category, `Category ${id}`)
  return category
}

/** Changes a locked category. Throws `category_exists`. */
export async function updateCategoryRow(
  sql: Sql,
  before: Category,
  { id, name, description }: Category,
): Promise<void> {
  // The update itself fails where a concurrent transaction took the name; its retry finds that here.
  if (name !== before.name) await requireUnlike(sql, name, id)
  await sql.all(
    `update categories set name = ?2, name_key = ?3, description = ?5,
      canonical_name = case when name = ?2 then canonical_name else ?4 end where id = ?1`,
    [id, name, nameKeyOf(name), canonicalNameOf(name), description ?? null],
  )
}

export async function deleteCategoryRow(sql: Sql, id: bigint): Promise<void> {
  await sql.all('delete from categories where id = ?1', [id])
}

type Named = { id: bigint; name: string }
type NamedRow = [id: bigint, name: string, key: string, canonical: string | null]

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
    union ${selected} from ${from} join categories on categories.name_key = input.name_key
    union ${selected} from categories where canonical_name is null order by 1`,
    parameters,
  )
  const first = new Map<string, Named>()
  for (const [id, name, key, canonical] of rows.toReversed()) {
    if (id === except) continue
    first.set(`key ${key}`, { id, name })
    first.set(`canonical ${canonical ?? canonicalNameOf(name)}`, { id, name })
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
  return tx.create(
    'categories',
    alikeColumns,
    names.map((name) => [name, nameKeyOf(name), canonicalNameOf(name)]),
    names.map((name) => ({
      ...{ input: names, type: 'category.created', record: 'category', data: { name } },
    })),
  )
}

/** The names of the first thousand categories. */
export async function selectFirstNames(sql: Sql): Promise<string[]> {
  const rows = await sql.all<[string]>('select name from categories order by id limit 1000')
  return rows.map(([name]) => name)
}

async function requireUnlike(sql: Sql, name: string, id?: bigint): Promise<void> {
  const other = (await findAlike(sql, [name], id)).get(name)
  if (other === undefined) return
  throw refusal(
    'category_exists',
    `There is a category called ${JSON.stringify(other.name)}, with the id ${other.id}; names that look alike are the same.`,
  )
}

/**
 * Fills `canonical_name` in categories that were stored before. Of those whose names look alike the first gets it; the others
 * keep their names too, and are named in a warning.
 */
export const fillCanonicalNames: Backfill = {
  migration: '0024_compare_category_names',
  async run(sql, warn) {
    const first = new Map<string, Named>()
    const rows = await sql.all<[bigint, string]>('select id, name from categories order by id')
    for (const [id, name] of rows) {
      const canonical = canonicalNameOf(name)
      const other = first.get(canonical)
      if (other) {
        warn(
          `Category ${id}, ${JSON.stringify(name)}, looks like category ${other.id}, ${JSON.stringify(other.name)}. Both stay; give one another name.`,
        )
        continue
      }
      first.set(canonical, { id, name })
      await sql.all('update categories set canonical_name = ?2 where id = ?1', [id, canonical])
    }
  },
}
