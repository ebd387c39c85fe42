import type { Context } from '../../context/context.ts'
import { oneByOne, type Sql } from '../../db/db.ts'
import { type MatchesIfMatch, readExpected, requireExpected } from '../if-match.ts'
import { refusal } from '../refuse.ts'
import type { InventoryChange, InventoryItem } from './contract/inventory.ts'
import { getInventory, notInInventory } from './get-inventory.ts'
import { lockAndExpireOne } from './lock-and-expire.ts'
import { selectStocks, updateOnHand } from './queries.ts'
import { recordStock } from './record-stock.ts'
import { describeHeld } from './reservations.ts'
import { statusOf } from './stock.ts'

type InventoryUpdate = {
  id: bigint
  body: InventoryChange
  matchesIfMatch?: MatchesIfMatch<InventoryItem>
}

/** Sets the stock of a pet. Throws `not_found`, `precondition_failed`, `insufficient_stock`. */
export async function updateInventory(
  context: Context,
  { id, body: { quantity }, matchesIfMatch }: InventoryUpdate,
): Promise<InventoryItem> {
  const now = context.clock()
  const expected = await readExpected(matchesIfMatch, stockOf(id), () => getInventory(context, id))
  return context.db.write(setQuantity, { petId: id, quantity, expected, now })
}

type QuantityInput = {
  petId: bigint
  quantity: number
  /** The state that the client expects, if any. */
  expected: InventoryItem | undefined
  now: number
}

export const setQuantity = oneByOne<QuantityInput, InventoryItem>({
  name: 'setQuantity',
  rowOf: ({ petId }) => petId,
  async run(tx, input) {
    const { petId, quantity, expected, now } = input
    if (expected) await requireUnchanged(tx, expected)
    const stock = await lockAndExpireOne(tx, petId, now)
    if (!stock || stock.status === null) throw refusal('not_found', notInInventory(petId))
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
async function requireUnchanged(sql: Sql, expected: InventoryItem) {
  const { petId } = expected
  const [seen] = await selectStocks(sql, [petId])
  if (!seen || seen.status === null) throw refusal('not_found', notInInventory(petId))
  const { onHand, status } = seen
  requireExpected(expected, { petId, quantity: onHand, status }, stockOf(petId))
}

function stockOf(petId: bigint): string {
  return `The stock of pet ${petId}`
}
