import type { Context } from '../context.ts'
import { refuse, type Transaction } from '../db/seam.ts'
import type { InventoryChange, InventoryItem } from './contract.ts'
import { lockStock } from './hold.ts'
import { selectStocks, updateOnHand } from './queries.ts'

/** Sets how many there are of an animal. Throws `not_found`, `insufficient_stock`. */
export function updateInventory(
  { db, clock }: Context,
  { id, body }: { id: bigint; body: InventoryChange },
): Promise<InventoryItem> {
  return db.write(setQuantity, { petId: id, quantity: body.quantity, now: clock() })
}

type QuantityInput = { petId: bigint; quantity: number; now: number }

export const setQuantity: Transaction<QuantityInput, InventoryItem> = {
  name: 'setQuantity',
  together: false,
  async run(sql, inputs) {
    const [{ petId, quantity, now }] = inputs as [QuantityInput]
    const stock = await lockStock(sql, petId, now)
    if (!stock || stock.status === null) {
      return [refuse('not_found', `There is no pet with the id ${petId} in the inventory.`)]
    }
    if (quantity < stock.reserved) {
      const held = `Open orders hold ${stock.reserved} of pet ${petId}`
      return [refuse('insufficient_stock', `${held}, which is more than ${quantity}.`)]
    }
    await updateOnHand(sql, petId, quantity)
    const [counted] = await selectStocks(sql, [petId])
    return [{ value: { petId, quantity, status: counted?.status ?? stock.status } }]
  },
}
