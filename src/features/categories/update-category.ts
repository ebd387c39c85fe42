import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import type { Target } from '../if-match.ts'
import type { Category, CategoryChange } from './contract.ts'
import { lockCategory, updateCategoryRow } from './queries.ts'

/**
 * Changes the given fields of a category; null removes its description. Resolves only once it is durable. Throws
 * `not_found`, `precondition_failed`, `category_exists`.
 */
export function updateCategory(
  { db }: Context,
  { id, ifMatch, body }: Target & { body: CategoryChange },
): Promise<Category> {
  return db.write(changeCategory, { id, ifMatch, change: body })
}

export const changeCategory = oneByOne<Target & { change: CategoryChange }, Category>({
  name: 'changeCategory',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const { id, change } = target
    const before = await lockCategory(tx, target)
    const { name = before.name, description = before.description ?? null } = change
    const data = description === null ? { id, name } : { id, name, description }
    await updateCategoryRow(tx, data)
    tx.record(target, { type: 'category.updated', record: 'category', id, data, before })
    return data
  },
})
