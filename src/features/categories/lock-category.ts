import type { Sql } from '../../db/db.ts'
import { requireExpected } from '../if-match.ts'
import { refusal } from '../refuse.ts'
import type { Category } from './contract.ts'
import { categoryNotFound } from './get-category.ts'
import { lockCategoryRow } from './queries.ts'

/** A category to change, and the state that the client expects, if any. */
export type CategoryTarget = { id: bigint; expected: Category | undefined }

/** Locks the category to change. Throws `not_found`, `precondition_failed`. */
export async function lockCategory(sql: Sql, { id, expected }: CategoryTarget): Promise<Category> {
  const category = await lockCategoryRow(sql, id)
  if (!category) throw refusal('not_found', categoryNotFound(id))
  requireExpected(expected, category, `Category ${id}`)
  return category
}
