import { nameKeyOf } from '../../contract/name-key.ts'
import { oneByOne, type Sql } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { lockById, queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { column, defineRecord } from '../../db/records.ts'
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
  rowOf: ({ name }) => nameKeyOf(name),
  async run(tx, input) {
    const { name, description } = input
    for (;;) {
      const [row] = await tx.all(
        // On PostgreSQL a conflict uses up an id, so it is only for concurrent creates.
        `insert into categories (name, name_key, description) select ?1, ?2, ?3
        where not exists (select 1 from categories where name_key = ?2)
        on conflict (name_key) do nothing returning id`,
        [name, nameKeyOf(name), description ?? null],
      )
      if (row) {
        const category = { ...input, id: row[0] as bigint }
        const { id } = category
        tx.record(input, { type: 'category.created', record: 'category', id, data: category })
        return category
      }
      const other = await selectByName(tx, name)
      // Without one, the category was deleted or renamed in the meantime, and the insert is tried again.
      if (other) throw categoryExists(other)
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
  { id, name, description }: Category,
): Promise<void> {
  // The update itself fails where a concurrent transaction took the name; its retry finds that here.
  const other = await selectByName(sql, name)
  if (other && other.id !== id) throw categoryExists(other)
  await sql.all('update categories set name = ?2, name_key = ?3, description = ?4 where id = ?1', [
    id,
    name,
    nameKeyOf(name),
    description ?? null,
  ])
}

export async function deleteCategoryRow(sql: Sql, id: bigint): Promise<void> {
  await sql.all('delete from categories where id = ?1', [id])
}

type Named = { id: bigint; name: string }

async function selectByName(sql: Sql, name: string): Promise<Named | undefined> {
  const [row] = await sql.all<[bigint, string]>(
    'select id, name from categories where name_key = ?1',
    [nameKeyOf(name)],
  )
  return row && { id: row[0], name: row[1] }
}

function categoryExists({ id, name }: Named): Refusal {
  return refusal(
    'category_exists',
    `There is a category called ${JSON.stringify(name)}, with the id ${id}; case is ignored.`,
  )
}
