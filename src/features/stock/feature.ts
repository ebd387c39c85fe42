import { implement } from '../../http/implement.ts'
import { listInventoryOperation, updateInventoryOperation } from './contract.ts'
import { listInventory } from './list-inventory.ts'
import { updateInventory } from './update-inventory.ts'

/** The stock of each pet. */
export const operations = [
  implement(listInventoryOperation, listInventory),
  implement(updateInventoryOperation, updateInventory),
]
