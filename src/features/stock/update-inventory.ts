import type { Context } from '../../context/context.ts'
import { defineTransaction } from '../../db/db.ts'
import { lockCurrentStock } from '../orders/current-stock.ts'
import { refusal } from '../refuse.ts'
import type { InventoryChange, InventoryItem } from './contract.ts'
import { selectStocks, updateOnHand } from './queries.ts'

/** Sets the stock of a pet. Throws `not_found`, `insufficient_stock`. */
export function updateInventory(
  { db, clock }: Context,
  { id, body }: { id: bigint; body: InventoryChange },
): Promise<InventoryItem> {
  return db.write(setQuantity, { petId: id, quantity: body.quantity, now: clock() })
}

type QuantityInput = { petId: bigint; quantity: number; now: number }

export const setQuantity = defineTransaction<QuantityInput, InventoryItem>({
  name: 'setQuantity',
  async run(sql, { petId, quantity, now }) {
    const stock = await lockCurrentStock(sql, petId, now)
    if (!stock || stock.status === null) {
      throw refusal('not_found', `There is no pet with the id ${petId} in the inventory.`)
    }
    if (quantity < stock.reserved) {
      const held = `Open orders hold ${stock.reserved} of pet ${petId}`
      throw refusal('insufficient_stock', `${held}, which is more than ${quantity}.`)
    }
    await updateOnHand(sql, petId, quantity)
    const [counted] = await selectStocks(sql, [petId])
    return { petId, quantity, status: counted?.status ?? stock.status }
  },
})
