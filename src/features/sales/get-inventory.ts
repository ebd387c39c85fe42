import type { Context } from '../../context/context.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import type { InventoryItem } from './contract/inventory.ts'
import { selectInventoryItem } from './queries.ts'

/** The stock of one pet. Throws `not_found`, also for a pet without a status. */
export async function getInventory({ db }: Context, petId: bigint): Promise<InventoryItem> {
  const item = await db.read(selectInventoryItem, petId)
  if (!item) throw notInInventory(petId)
  return item
}

/** The refusal for a pet that is missing or has no status. */
export function notInInventory(petId: bigint): Refusal {
  return refusal('not_found', `There is no pet with the id ${petId} in the inventory.`)
}
