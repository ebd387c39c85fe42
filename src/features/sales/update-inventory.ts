import { oneByOne, type Sql } from '../../db/db.ts'
import { requireMatch, type Target } from '../if-match.ts'
import { refusal } from '../refuse.ts'
import type { InventoryChange, InventoryItem } from './contract/inventory.ts'
import { notInInventory } from './get-inventory.ts'
import { lockAndExpireOne } from './lock-and-expire.ts'
import { selectStocks, updateOnHand } from './queries.ts'
import { recordStock } from './record-stock.ts'
import { describeHeld } from './reservations.ts'
import { statusOf } from './stock.ts'

type StockTarget = Target & { body: InventoryChange; now: number }

/** Sets the stock of a pet. Throws `not_found`, `precondition_failed`, `insufficient_stock`. */
export const updateInventory = oneByOne<StockTarget, InventoryItem>({
  name: 'updateInventory',
  rowOf: ({ id }) => id,
  async run(tx, input) {
    const { id: petId, body, now } = input
    const { quantity } = body
    if (input.ifMatch !== undefined) await requireUnchanged(tx, input)
    const stock = await lockAndExpireOne(tx, petId, now)
    if (!stock || stock.status === null) throw notInInventory(petId)
    if (quantity < stock.reserved) {
      const held = await describeHeld(tx, stock)
      throw refusal('insufficient_stock', `${held}, which is more than ${quantity}.`)
    }
    await updateOnHand(tx, petId, quantity)
    const status = statusOf({ ...stock, onHand: quantity }) ?? stock.status
    recordStock(tx, input, { before: stock, after: { ...stock, onHand: quantity, status } })
    return { petId, quantity, status }
  },
})

/** Locks the pet before its due orders expire: that change is not one that the client could have seen. */
async function requireUnchanged(sql: Sql, target: Target) {
  const { id: petId } = target
  const [seen] = await selectStocks(sql, [petId])
  if (!seen || seen.status === null) throw notInInventory(petId)
  const { onHand, status } = seen
  requireMatch(target, { petId, quantity: onHand, status }, `The stock of pet ${petId}`)
}
