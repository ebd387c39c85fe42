import type { Context } from '../../context/context.ts'
import type { FileContent } from '../../contract/content.ts'
import { type ExportRequest, exportList } from '../export-list.ts'
import type { InventoryFilter } from './contract/inventory.ts'
import { inventoryExport } from './queries.ts'

/** The inventory as a file. Throws `unavailable`. */
export function exportInventory(
  context: Context,
  request: ExportRequest<InventoryFilter>,
): Promise<FileContent> {
  return exportList(context, { name: 'inventory', scan: inventoryExport }, request)
}
