import { nameKeyOf } from '../../contract/name-key.ts'
import { defineStorage } from '../../db/storage.ts'
import { removeCategory } from './delete-category.ts'
import { categoriesList, insertCategory } from './queries.ts'
import { changeCategory } from './update-category.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'categories',
      assignsIds: true,
      texts: { name: 100, description: 2_000 },
      computed: { name_key: { from: 'name', compute: nameKeyOf, isUnique: true } },
    },
  ],
  writes: [insertCategory, changeCategory, removeCategory],
  scans: [categoriesList.search, categoriesList.count],
})
