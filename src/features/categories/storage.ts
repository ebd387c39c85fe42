import { defineStorage } from '../../db/storage.ts'
import { requireUnlikeNames } from './early/queries.ts'
import { categories, categoriesList, categoryWrites } from './queries.ts'

export const storage = defineStorage({
  tables: [{ name: 'categories', ...categories.declared }],
  writes: [categoryWrites.insert, categoryWrites.update, categoryWrites.delete],
  scans: [categoriesList.search, categoriesList.count],
  requireAdoptable: requireUnlikeNames,
})
