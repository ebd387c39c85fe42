import { canonicalNameOf, nameKeyOf } from '../../contract/name-key.ts'
import { defineStorage } from '../../db/storage.ts'
import { deleteCategory } from './delete-category.ts'
import { categoriesList, fillCanonicalNames, insertCategory } from './queries.ts'
import { updateCategory } from './update-category.ts'

export const storage = defineStorage({
  tables: [
    {
      name: 'categories',
      assignsIds: true,
      texts: { name: 100, description: 2_000 },
      computed: {
        name_key: { from: 'name', compute: nameKeyOf, isUnique: true },
        canonical_name: { from: 'name', compute: canonicalNameOf, isUnique: true },
      },
    },
  ],
  writes: [insertCategory, updateCategory, deleteCategory],
  scans: [categoriesList.search, categoriesList.count],
  backfills: [fillCanonicalNames],
})
