import { oneByOne } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { requireMatch, type Target } from '../if-match.ts'
import { refusal } from '../refuse.ts'
import type { InventoryChange, InventoryItem } from './contract/inventory.ts'
import { expireDue, lockStocks } from './lock-and-expire.ts'
import { updateOnHand } from './queries.ts'
import { recordStock } from './record-stock.ts'
import { describeHeld } from './reservations.ts'
import { statusOf } from './stock.ts'

/** The refusal for a pet that is missing or has no status. */
export function notInInventory(petId: bigint): Refusal {
  return refusal('not_found', `There is no pet with the id ${petId} in the inventory.`)
}

type StockTarget = Target & { body: InventoryChange; now: number }

/** Sets the stock of a pet. Throws `not_found`, `precondition_failed`, `insufficient_stock`. */
export const updateInventory = oneByOne<StockTarget, InventoryItem>({
  name: 'updateInventory',
  rowOf: ({ id }) => id,
  async run(tx, input) {
    const { id: petId, body, now } = input
    const { quantity } = body
    const stocks = await lockStocks(tx, [petId])
    const stock = stocks.get(petId)
    if (!stock || stock.status === null) throw notInInventory(petId)
    // Compared before due orders expire: the client could not have seen that change.
    const seen = { petId, quantity: stock.onHand, status: stock.status }
    requireMatch(input, seen, `The stock of pet ${petId}`)
    await expireDue(tx, stocks, [{ petId, now }])
    if (quantity < stock.reserved) {
      const held = await describeHeld(tx, [stock])
      throw refusal('insufficient_stock', `${held.get(petId)}, which is more than ${quantity}.`)
    }
    await updateOnHand(tx, petId, quantity)
    const status = statusOf({ ...stock, onHand: quantity }) ?? stock.status
    recordStock(tx, input, { before: stock, after: { ...stock, onHand: quantity, status } })
    return { petId, quantity, status }
  },
})
