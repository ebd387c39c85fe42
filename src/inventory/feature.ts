import { bind } from '../http/operation.ts'
import { listInventoryOperation, updateInventoryOperation } from './contract.ts'
import { listInventory } from './list-inventory.ts'
import { updateInventory } from './update-inventory.ts'

/** How many there are of each pet. */
export const inventoryFeature = [
  bind(listInventoryOperation, listInventory),
  bind(updateInventoryOperation, updateInventory),
]
