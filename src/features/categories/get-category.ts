import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Category } from './contract.ts'
import { selectCategory } from './queries.ts'

/** One category by its id. Throws `not_found`. */
export async function getCategory({ db }: Context, id: bigint): Promise<Category> {
  const category = await db.read(selectCategory, id)
  if (!category) throw new ServiceError('not_found', categoryNotFound(id))
  return category
}

/** The message for an unknown category id. */
export function categoryNotFound(id: bigint): string {
  return `There is no category with the id ${id}.`
}
