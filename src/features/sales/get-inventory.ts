import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { InventoryItem } from './contract/inventory.ts'
import { selectInventoryItem } from './queries.ts'

/** The stock of one pet. Throws `not_found`, also for a pet without a status. */
export async function getInventory({ db }: Context, petId: bigint): Promise<InventoryItem> {
  const item = await db.read(selectInventoryItem, petId)
  if (!item) throw new ServiceError('not_found', notInInventory(petId))
  return item
}

/** The message for a pet that is not in the inventory. */
export function notInInventory(petId: bigint): string {
  return `There is no pet with the id ${petId} in the inventory.`
}
