import { implement } from '../../http/implement.ts'
import { createBy, getBy, listBy, writeBy } from '../verbs.ts'
import * as contract from './contract.ts'
import { categoriesList, categoryWrites, selectCategory } from './queries.ts'

/** The categories of pets. */
export const operations = [
  implement(contract.listCategoriesOperation, listBy(categoriesList)),
  implement(contract.getCategoryOperation, getBy(selectCategory, 'category')),
  implement(contract.createCategoryOperation, createBy(categoryWrites.insert)),
  implement(contract.updateCategoryOperation, writeBy(categoryWrites.update)),
  implement(contract.deleteCategoryOperation, writeBy(categoryWrites.delete)),
]
