import * as Type from '../../contract/type.ts'
import { implement } from '../../http/implement.ts'
import { compileSheet } from '../../http/sheet/read-sheet.ts'
import { exportBy, getBy, listBy, writeBy } from '../verbs.ts'
import { batchPetsOperation } from './batch-contract.ts'
import { batchPets } from './batch-pets.ts'
import * as contract from './contract.ts'
import { createPet } from './create-pet.ts'
import { deletePet } from './delete-pet.ts'
import { getImportOperation, importPetsOperation } from './imports/contract.ts'
import { getImport } from './imports/get-import.ts'
import { importPets } from './imports/import-pets.ts'
import { petsExport, petsList, selectPet } from './queries.ts'
import { updatePet } from './update-pet.ts'

const readSheet = compileSheet({
  create: contract.NewPet,
  update: Type.Object({
    id: contract.Pet.properties.id,
    ...contract.PetChange.properties,
  }),
})

/** The catalogue (interface 1.0.0, sections 4.1 to 4.3) and its changes. */
export const operations = [
  implement(contract.listPetsOperation, listBy(petsList)),
  implement(contract.createPetOperation, createPet),
  implement(batchPetsOperation, batchPets),
  implement(contract.exportPetsOperation, exportBy('pets', petsExport)),
  implement(getImportOperation, getImport),
  implement(contract.getPetOperation, getBy(selectPet, 'pet')),
  implement(contract.updatePetOperation, writeBy(updatePet)),
  implement(contract.deletePetOperation, writeBy(deletePet)),
  implement(importPetsOperation, (context, { query, body }) => {
    const { columns, ignoreIds } = query
    const ignored = ignoreIds ? ['id'] : []
    const sheet = readSheet(body, { columns, ignored }, context.importLimits?.bytesMax ?? 0)
    return importPets(context, { query, sheet, signal: body.signal })
  }),
]
