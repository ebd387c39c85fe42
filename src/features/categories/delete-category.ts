import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { type MatchesIfMatch, readExpected } from '../if-match.ts'
import type { Category } from './contract.ts'
import { getCategory } from './get-category.ts'
import { type CategoryTarget, lockCategory } from './lock-category.ts'
import { deleteCategoryRow } from './queries.ts'

type CategoryDeletion = { id: bigint; matchesIfMatch?: MatchesIfMatch<Category> }

/**
 * Removes a category for good; pets keep its number, and its id is never reused. Throws `not_found`,
 * `precondition_failed`.
 */
export async function deleteCategory(
  context: Context,
  { id, matchesIfMatch }: CategoryDeletion,
): Promise<undefined> {
  const expected = await readExpected(matchesIfMatch, `Category ${id}`, () =>
    getCategory(context, id),
  )
  await context.db.write(removeCategory, { id, expected })
}

export const removeCategory = oneByOne<CategoryTarget, null>({
  name: 'removeCategory',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const category = await lockCategory(tx, target)
    await deleteCategoryRow(tx, target.id)
    const { id } = category
    tx.record(target, { type: 'category.deleted', record: 'category', id, data: category })
    return null
  },
})
