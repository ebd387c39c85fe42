import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { defineTransaction, type Sql } from '../../db/db.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { refusal } from '../refuse.ts'
import type { InventoryChange, InventoryItem } from './contract/inventory.ts'
import { getInventory, notInInventory } from './get-inventory.ts'
import { lockAndExpireOne } from './lock-and-expire.ts'
import { describeHeld } from './reservations.ts'
import { selectStocks, updateOnHand } from './stock/queries.ts'

type InventoryUpdate = {
  id: bigint
  body: InventoryChange
  matchesIfMatch?: ((item: InventoryItem | JsonText) => boolean) | undefined
}

/** Sets the stock of a pet. Throws `not_found`, `precondition_failed`, `insufficient_stock`. */
export async function updateInventory(
  context: Context,
  { id, body: { quantity }, matchesIfMatch }: InventoryUpdate,
): Promise<InventoryItem> {
  const input = { petId: id, quantity, expected: undefined, now: context.clock() }
  if (!matchesIfMatch) return context.db.write(setQuantity, input)
  const expected = await getInventory(context, id)
  if (!matchesIfMatch(expected)) throw new ServiceError('precondition_failed', changedSince(id))
  return context.db.write(setQuantity, { ...input, expected })
}

type QuantityInput = {
  petId: bigint
  quantity: number
  /** The state that the client expects, if any. */
  expected: InventoryItem | undefined
  now: number
}

export const setQuantity = defineTransaction<QuantityInput, InventoryItem>({
  name: 'setQuantity',
  async run(sql, { petId, quantity, expected, now }) {
    if (expected) await requireExpected(sql, expected)
    const stock = await lockAndExpireOne(sql, petId, now)
    if (!stock || stock.status === null) throw refusal('not_found', notInInventory(petId))
    if (quantity < stock.reserved) {
      const held = await describeHeld(sql, stock)
      throw refusal('insufficient_stock', `${held}, which is more than ${quantity}.`)
    }
    await updateOnHand(sql, petId, quantity)
    const [counted] = await selectStocks(sql, [petId])
    return { petId, quantity, status: counted?.status ?? stock.status }
  },
})

/** Locks the pet before its due orders expire: that change is not one that the client could have seen. */
async function requireExpected(sql: Sql, { petId, quantity, status }: InventoryItem) {
  const [seen] = await selectStocks(sql, [petId])
  if (!seen || seen.status === null) throw refusal('not_found', notInInventory(petId))
  if (seen.onHand !== quantity || seen.status !== status)
    throw refusal('precondition_failed', changedSince(petId))
}

function changedSince(petId: bigint): string {
  return `The stock of pet ${petId} no longer matches If-Match. Fetch it and retry.`
}
