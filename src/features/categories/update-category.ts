import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { type MatchesIfMatch, readExpected } from '../if-match.ts'
import type { Category, CategoryChange } from './contract.ts'
import { getCategory } from './get-category.ts'
import { type CategoryTarget, lockCategory } from './lock-category.ts'
import { updateCategoryRow } from './queries.ts'

type CategoryUpdate = {
  id: bigint
  body: CategoryChange
  matchesIfMatch?: MatchesIfMatch<Category>
}

/**
 * Changes the given fields of a category; null removes its description. Resolves only once it is durable. Throws
 * `not_found`, `precondition_failed`, `category_exists`.
 */
export async function updateCategory(
  context: Context,
  { id, body, matchesIfMatch }: CategoryUpdate,
): Promise<Category> {
  const expected = await readExpected(matchesIfMatch, `Category ${id}`, () =>
    getCategory(context, id),
  )
  return context.db.write(changeCategory, { id, expected, change: body })
}

export const changeCategory = oneByOne<CategoryTarget & { change: CategoryChange }, Category>({
  name: 'changeCategory',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const { change } = target
    const category = await lockCategory(tx, target)
    const { name = category.name, description = category.description ?? null } = change
    const { id } = category
    const changed = description === null ? { id, name } : { id, name, description }
    await updateCategoryRow(tx, changed)
    tx.record(target, {
      type: 'category.updated',
      record: 'category',
      id,
      data: changed,
      before: category,
    })
    return changed
  },
})
