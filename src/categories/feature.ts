import { bind } from '../http/operation.ts'
import {
  createCategoryOperation,
  getCategoryOperation,
  listCategoriesOperation,
} from './contract.ts'
import { createCategory } from './create-category.ts'
import { getCategory } from './get-category.ts'
import { listCategories } from './list-categories.ts'

/** The kinds of pets. */
export const categoriesFeature = [
  bind(listCategoriesOperation, listCategories),
  bind(getCategoryOperation, (context, { id }) => getCategory(context, id)),
  bind(createCategoryOperation, (context, { body }) => createCategory(context, body)),
]
