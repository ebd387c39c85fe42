import { nameKeyOf } from '../../contract/name-key.ts'
import { wordStorage } from '../../db/schema/word-storage.ts'
import { combineStorage, defineStorage } from '../../db/storage.ts'
import { changePets } from './batch-pets.ts'
import { deletePet } from './delete-pet.ts'
import { storeRows } from './imports/store-rows.ts'
import { insertPets, petsExport, petsList, petWords } from './queries.ts'
import { updatePet } from './update-pet.ts'

const pets = defineStorage({
  tables: [
    {
      name: 'pets',
      assignsIds: true,
      texts: { name: 1_000 },
      computed: { name_key: { from: 'name', compute: nameKeyOf } },
    },
  ],
  writes: [insertPets, updatePet, deletePet, changePets, storeRows],
  scans: [petsList.search, petsList.count, petsExport],
})

export const storage = combineStorage([
  pets,
  wordStorage(petWords, {
    name: 'words',
    promise: 'records are found by the words of their names',
  }),
])
