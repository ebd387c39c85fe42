import { implement } from '../../http/implement.ts'
import { getBy, listBy, writeBy } from '../verbs.ts'
import * as contract from './contract.ts'
import { createCategory } from './create-category.ts'
import { deleteCategory } from './delete-category.ts'
import { categoriesList, selectCategory } from './queries.ts'
import { updateCategory } from './update-category.ts'

/** The categories of pets. */
export const operations = [
  implement(contract.listCategoriesOperation, listBy(categoriesList)),
  implement(contract.getCategoryOperation, getBy(selectCategory, 'category')),
  implement(contract.createCategoryOperation, createCategory),
  implement(contract.updateCategoryOperation, writeBy(updateCategory)),
  implement(contract.deleteCategoryOperation, writeBy(deleteCategory)),
]
