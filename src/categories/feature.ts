import { bind } from '../http/operation.ts'
import { createCategoryOperation, listCategoriesOperation } from './contract.ts'
import { createCategory } from './create-category.ts'
import { listCategories } from './list-categories.ts'

/** The kinds of animals. */
export const categoriesFeature = [
  bind(listCategoriesOperation, listCategories),
  bind(createCategoryOperation, (context, { body }) => createCategory(context, body)),
]
