import { nameKeyOf } from '../../contract/name-key.ts'
import { defineStorage } from '../../db/storage.ts'
import { removeCategory } from './delete-category.ts'
import { categoriesList, insertCategory } from './queries.ts'
import { changeCategory } from './update-category.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'categories',
      key: ['id'],
      assignsIds: true,
      columns: {
        id: { type: 'int64' },
        name: { type: 'text', codePointsMax: 100 },
        name_key: { type: 'text', computed: { from: 'name', compute: nameKeyOf, isUnique: true } },
        description: { type: 'text', isNullable: true, codePointsMax: 2_000 },
      },
    },
  ],
  writes: [insertCategory, changeCategory, removeCategory],
  scans: [categoriesList.search, categoriesList.count],
})
