import { implement } from '../../http/implement.ts'
import {
  createCategoryOperation,
  getCategoryOperation,
  listCategoriesOperation,
} from './contract.ts'
import { createCategory } from './create-category.ts'
import { getCategory } from './get-category.ts'
import { listCategories } from './list-categories.ts'

/** The categories of pets. */
export const operations = [
  implement(listCategoriesOperation, listCategories),
  implement(getCategoryOperation, (context, { id }) => getCategory(context, id)),
  implement(createCategoryOperation, (context, { body }) => createCategory(context, body)),
]
