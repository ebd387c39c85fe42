import { nameKeyOf } from '../../contract/name-key.ts'
import { combineStorage, defineStorage } from '../../db/storage.ts'
import { wordStorage } from '../../db/word-storage.ts'
import { changePets } from './batch-pets.ts'
import { removePet } from './delete-pet.ts'
import { readProgress, storeRows, tryRows } from './imports/store-rows.ts'
import { fillNameKeys, insertPets, petsExport, petsList, petWords } from './queries.ts'
import { changePet } from './update-pet.ts'

const pets = defineStorage({
  tables: [
    {
      name: 'pets',
      key: ['id'],
      assignsIds: true,
      columns: {
        id: { type: 'int64' },
        name: { type: 'text', codePointsMax: 1_000 },
        name_key: { type: 'text', computed: { from: 'name', compute: nameKeyOf } },
        category_id: { type: 'int64' },
        stated: { type: 'text', isNullable: true },
        on_hand: { type: 'int64' },
        reserved: { type: 'int64' },
        status: { type: 'text', isNullable: true, isGenerated: true },
        record: { type: 'text', isGenerated: true },
      },
    },
  ],
  writes: [insertPets, changePet, removePet, changePets, readProgress, storeRows, tryRows],
  scans: [petsList.search, petsList.count, petsExport],
  backfills: [fillNameKeys],
})

export const storage = combineStorage([pets, wordStorage(petWords)])
