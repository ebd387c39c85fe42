import { oneByOne } from '../../db/db.ts'
import type { Target } from '../if-match.ts'
import { deleteCategoryRow, lockCategory } from './queries.ts'

/**
 * Removes a category for good; pets keep its number, and its id is never reused. Throws `not_found`,
 * `precondition_failed`.
 */
export const deleteCategory = oneByOne<Target, null>({
  name: 'deleteCategory',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const { id } = target
    const data = await lockCategory(tx, target)
    await deleteCategoryRow(tx, id)
    tx.record(target, { type: 'category.deleted', record: 'category', id, data })
    return null
  },
})
