import type { Context } from '../../context/context.ts'
import { defineTransaction } from '../../db/db.ts'
import {
  type CategoryTarget,
  lockCategory,
  type MatchesIfMatch,
  targetCategory,
} from './expected-category.ts'
import { deleteCategoryRow } from './queries.ts'

type CategoryDeletion = { id: bigint; matchesIfMatch?: MatchesIfMatch }

/**
 * Removes a category for good; pets keep its number, and its id is never reused. Throws `not_found`,
 * `precondition_failed`.
 */
export async function deleteCategory(
  context: Context,
  { id, matchesIfMatch }: CategoryDeletion,
): Promise<undefined> {
  await context.db.write(removeCategory, await targetCategory(context, id, matchesIfMatch))
}

export const removeCategory = defineTransaction<CategoryTarget, null>({
  name: 'removeCategory',
  async run(sql, target) {
    await lockCategory(sql, target)
    await deleteCategoryRow(sql, target.id)
    return null
  },
})
