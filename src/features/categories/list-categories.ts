import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import type { CategoriesFilter, Category } from './contract.ts'
import { categoriesList } from './queries.ts'

/** One page of categories. */
export function listCategories(
  { db }: Context,
  request: ListRequest<CategoriesFilter>,
): Promise<Page<Category>> {
  return readPage(db, categoriesList, request)
}
