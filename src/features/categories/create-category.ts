import type { Context } from '../../context/context.ts'
import type { Category, NewCategory } from './contract.ts'
import { insertCategory } from './queries.ts'

/** Adds a category. Resolves only once it is durable. Throws `category_exists`. */
export function createCategory({ db }: Context, newCategory: NewCategory): Promise<Category> {
  return db.write(insertCategory, newCategory)
}
