import { nameKeyOf } from '../../contract/name-key.ts'
import { isId, isText, requireSound } from '../../db/damaged-row.ts'
import { defineTransaction, type Row } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { refusal } from '../refuse.ts'
import type { CategoriesFilter, Category, NewCategory } from './contract.ts'

const columns = 'id, name, description'

export const categoriesList = listStatements<CategoriesFilter, Category>('categories', {
  table: 'categories',
  columns,
  conditionsOf: ({ id, name }) => [
    ...(id === undefined ? [] : [{ column: 'id', anyOf: id }]),
    ...(name === undefined ? [] : [{ column: 'name_key', startsWith: nameKeyOf(name) }]),
  ],
  itemOf: categoryOf,
})

export const selectCategory = queryById({ table: 'categories', columns, itemOf: categoryOf })

function categoryOf(row: Row): Category {
  const [id, name, description] = row as [bigint, string, string | null]
  requireSound('categories', id, {
    id: isId(id),
    name: isText(name),
    description: description === null || isText(description),
  })
  return description === null ? { id, name } : { id, name, description }
}

/** Adds a category; refuses an existing name. */
export const insertCategory = defineTransaction<NewCategory, Category>({
  name: 'insertCategory',
  async run(sql, category) {
    const { name, description } = category
    const [row] = await sql.all<[bigint]>(
      `insert into categories (name, name_key, description) values (?1, ?2, ?3)
      on conflict (name_key) do nothing returning id`,
      [name, nameKeyOf(name), description ?? null],
    )
    if (row) return { id: row[0], ...category }
    throw refusal(
      'category_exists',
      `A category named ${JSON.stringify(name)} exists; case is ignored.`,
    )
  },
})
