import { exportList } from '../export-list.ts'
import { inventoryExport } from './queries.ts'

/** The inventory as a file. Throws `unavailable`. */
export const exportInventory = exportList('inventory', inventoryExport)
