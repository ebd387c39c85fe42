import { defineStorage } from '../../db/storage.ts'
import { inventoryList } from './queries.ts'
import { setQuantity } from './update-inventory.ts'

/** The stock is stored in the rows of `pets`. */
export const storage = defineStorage({
  writes: [setQuantity],
  scans: [inventoryList.search, inventoryList.count],
})
