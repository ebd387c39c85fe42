import type { Context } from '../../context/context.ts'
import { defineTransaction } from '../../db/db.ts'
import type { Category, CategoryChange } from './contract.ts'
import {
  type CategoryTarget,
  lockCategory,
  type MatchesIfMatch,
  targetCategory,
} from './expected-category.ts'
import { updateCategoryRow } from './queries.ts'

type CategoryUpdate = {
  id: bigint
  body: CategoryChange
  matchesIfMatch?: MatchesIfMatch
}

/**
 * Changes the given fields of a category; null removes its description. Resolves only once it is durable. Throws
 * `not_found`, `precondition_failed`, `category_exists`.
 */
export async function updateCategory(
  context: Context,
  { id, body: { name, description }, matchesIfMatch }: CategoryUpdate,
): Promise<Category> {
  const target = await targetCategory(context, id, matchesIfMatch)
  return context.db.write(changeCategory, { ...target, change: { name, description } })
}

type ChangeInput = CategoryTarget & {
  change: { [K in keyof CategoryChange]: CategoryChange[K] | undefined }
}

export const changeCategory = defineTransaction<ChangeInput, Category>({
  name: 'changeCategory',
  async run(sql, { change, ...target }) {
    const category = await lockCategory(sql, target)
    const { name = category.name, description = category.description ?? null } = change
    const { id } = category
    const changed = description === null ? { id, name } : { id, name, description }
    await updateCategoryRow(sql, changed)
    return changed
  },
})
