import type { ReceivedBytes } from '../../contract/content.ts'
import * as Type from '../../contract/type.ts'
import { implement } from '../../http/implement.ts'
import { compileSheet } from '../../http/sheet/read-sheet.ts'
import { category } from '../categories/contract.ts'
import { detailsColumns } from '../details/contract.ts'
import { preparePrice, priceRules } from '../details/sheet.ts'
import { exportBy, getBy, listBy, writeBy } from '../verbs.ts'
import { batchPetsOperation } from './batch-contract.ts'
import { batchPets } from './batch-pets.ts'
import * as contract from './contract.ts'
import { createPet } from './create-pet.ts'
import { deletePet } from './delete-pet.ts'
import { type ImportQuery, importPetsOperation } from './imports/contract.ts'
import { importAndReturnRows, importPets } from './imports/import-pets.ts'
import { petsExport, petsList, selectPet } from './queries.ts'
import { updatePet } from './update-pet.ts'

const { name, categoryId, status } = contract.pet.Change.properties
const readable = {
  name,
  category: Type.Optional(category.Item.properties.name),
  categoryId,
  status,
  ...detailsColumns,
}
const compiledSheet = compileSheet({
  create: Type.Object({ ...readable, name: contract.pet.New.properties.name }, priceRules),
  update: Type.Object({ id: contract.pet.Item.properties.id, ...readable }, priceRules),
  oneOf: ['categoryId', 'category'],
  prepare: preparePrice,
})

type Received = { query: ImportQuery; body: ReceivedBytes }

function readSheet({ query, body }: Received) {
  const { columns, ignoreIds, currency } = query
  const matching = { columns, ignored: ignoreIds ? ['id'] : [], defaults: { currency } }
  return { query, sheet: compiledSheet(body, matching) }
}

/** The catalogue (interface 1.0.0, sections 4.1 to 4.3) and its changes. */
export const operations = [
  implement(contract.listPetsOperation, listBy(petsList)),
  implement(contract.createPetOperation, createPet),
  implement(batchPetsOperation, batchPets),
  implement(contract.exportPetsOperation, exportBy('pets', petsExport)),
  implement(contract.getPetOperation, getBy(selectPet, 'pet')),
  implement(contract.updatePetOperation, writeBy(updatePet)),
  implement(contract.deletePetOperation, writeBy(deletePet)),
  implement(
    importPetsOperation,
    async (context, input) => importPets(context, readSheet(input)),
    async (context, input) => importAndReturnRows(context, readSheet(input)),
  ),
]
