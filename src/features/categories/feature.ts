import { implement } from '../../http/implement.ts'
import {
  createCategoryOperation,
  deleteCategoryOperation,
  getCategoryOperation,
  listCategoriesOperation,
  updateCategoryOperation,
} from './contract.ts'
import { createCategory } from './create-category.ts'
import { deleteCategory } from './delete-category.ts'
import { getCategory } from './get-category.ts'
import { listCategories } from './list-categories.ts'
import { updateCategory } from './update-category.ts'

/** The categories of pets. */
export const operations = [
  implement(listCategoriesOperation, listCategories),
  implement(getCategoryOperation, getCategory),
  implement(createCategoryOperation, createCategory),
  implement(updateCategoryOperation, updateCategory),
  implement(deleteCategoryOperation, deleteCategory),
]
