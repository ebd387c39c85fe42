import { implement } from '../../http/implement.ts'
import {
  getInventoryOperation,
  listInventoryOperation,
  updateInventoryOperation,
} from './contract.ts'
import { getInventory } from './get-inventory.ts'
import { listInventory } from './list-inventory.ts'
import { updateInventory } from './update-inventory.ts'

/** The stock of each pet. */
export const operations = [
  implement(listInventoryOperation, listInventory),
  implement(getInventoryOperation, (context, { id }) => getInventory(context, id)),
  implement(updateInventoryOperation, updateInventory),
]
