import { oneByOne } from '../../db/db.ts'
import type { Target } from '../if-match.ts'
import type { Category, CategoryChange } from './contract.ts'
import { lockCategory, updateCategoryRow } from './queries.ts'

/**
 * Changes the given fields of a category; null removes its description. Throws `not_found`, `precondition_failed`,
 * `category_exists`.
 */
export const updateCategory = oneByOne<Target & { body: CategoryChange }, Category>({
  name: 'updateCategory',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const { id, body } = target
    const before = await lockCategory(tx, target)
    const { name = before.name, description = before.description ?? null } = body
    const data = description === null ? { id, name } : { id, name, description }
    await updateCategoryRow(tx, before, data)
    tx.record(target, { type: 'category.updated', record: 'category', id, data, before })
    return data
  },
})
