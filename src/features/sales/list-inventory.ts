import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import type { InventoryFilter, InventoryItem } from './contract/inventory.ts'
import { inventoryList } from './queries.ts'

/** One page of the inventory: the pets that have a status. */
export function listInventory(
  { db }: Context,
  request: ListRequest<InventoryFilter>,
): Promise<Page<InventoryItem>> {
  return readPage(db, inventoryList, request)
}
