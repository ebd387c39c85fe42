import * as Type from '../../contract/type.ts'
import { implement } from '../../http/implement.ts'
import { compileSheet } from '../../http/sheet/read-sheet.ts'
import { batchPetsOperation } from './batch-contract.ts'
import { batchPets } from './batch-pets.ts'
import {
  createPetOperation,
  deletePetOperation,
  exportPetsOperation,
  getPetOperation,
  listPetsOperation,
  NewPet,
  Pet,
  PetChange,
  updatePetOperation,
} from './contract.ts'
import { createPet } from './create-pet.ts'
import { deletePet } from './delete-pet.ts'
import { exportPets } from './export-pets.ts'
import { getPet } from './get-pet.ts'
import { getImportOperation, importPetsOperation } from './imports/contract.ts'
import { getImport } from './imports/get-import.ts'
import { importPets } from './imports/import-pets.ts'
import { listPets } from './list-pets.ts'
import { updatePet } from './update-pet.ts'

const readSheet = compileSheet({
  create: NewPet,
  update: Type.Object({ id: Pet.properties.id, ...PetChange.properties }),
})

/** The catalogue (interface 1.0.0, sections 4.1 to 4.3) and its changes. */
export const operations = [
  implement(listPetsOperation, listPets),
  implement(createPetOperation, createPet),
  implement(batchPetsOperation, batchPets),
  implement(exportPetsOperation, exportPets),
  implement(getImportOperation, getImport),
  implement(getPetOperation, getPet),
  implement(updatePetOperation, updatePet),
  implement(deletePetOperation, deletePet),
  implement(importPetsOperation, (context, { query, body }) => {
    const { columns, ignoreIds } = query
    const ignored = ignoreIds ? ['id'] : []
    const sheet = readSheet(body, { columns, ignored }, context.importLimits?.bytesMax ?? 0)
    return importPets(context, { query, sheet, signal: body.signal })
  }),
]
