import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Sql } from '../../db/db.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { refusal } from '../refuse.ts'
import { categoryNotFound } from './category-not-found.ts'
import type { Category } from './contract.ts'
import { getCategory } from './get-category.ts'
import { lockCategoryRow } from './queries.ts'

/** The input of a change to a category: its id, and the state that the client expects, if any. */
export type CategoryTarget = { id: bigint; expected: Category | undefined }

export type MatchesIfMatch = ((category: Category | JsonText) => boolean) | undefined

/** Reads the category to change. Throws `not_found`, and `precondition_failed` when it does not match. */
export async function targetCategory(
  context: Context,
  id: bigint,
  matchesIfMatch: MatchesIfMatch,
): Promise<CategoryTarget> {
  if (!matchesIfMatch) return { id, expected: undefined }
  const expected = await getCategory(context, id)
  if (!matchesIfMatch(expected)) throw new ServiceError('precondition_failed', changedSince(id))
  return { id, expected }
}

/** Locks the category to change. Throws `not_found`, `precondition_failed`. */
export async function lockCategory(sql: Sql, { id, expected }: CategoryTarget): Promise<Category> {
  const category = await lockCategoryRow(sql, id)
  if (!category) throw refusal('not_found', categoryNotFound(id))
  const isExpected =
    expected === undefined ||
    (category.name === expected.name && category.description === expected.description)
  if (!isExpected) throw refusal('precondition_failed', changedSince(id))
  return category
}

function changedSince(id: bigint): string {
  return `Category ${id} no longer matches If-Match. Fetch it and retry.`
}
