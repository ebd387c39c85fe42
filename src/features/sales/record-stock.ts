import type { Change, Tx } from '../../db/db.ts'
import type { InventoryItem } from './contract/inventory.ts'
import type { Stock } from './stock.ts'

type StockChange = { before: Stock; after: Stock } & Pick<Change, 'actor' | 'isRepair'>

/** Records what clients read differently once the stock of a pet has changed: its quantity, and the status of the pet. */
export function recordStock(tx: Tx, input: unknown, change: StockChange): void {
  recordQuantity(tx, input, change)
  const { before, after, ...by } = change
  const pet = { record: 'pet', id: after.petId, data: petOf(after), before: petOf(before) }
  tx.record(input, { type: 'pet.updated', ...pet, ...by })
}

/**
 * Records the item of the inventory where its quantity has changed, or where the pet has come to have a status. A change of
 * the status alone is one of the pet.
 */
export function recordQuantity(
  tx: Tx,
  input: unknown,
  { before: stockBefore, after, ...by }: StockChange,
): void {
  const data = itemOf(after)
  const before = itemOf(stockBefore)
  if (!data || (!by.isRepair && data.quantity === before?.quantity)) return
  tx.record(input, {
    type: 'inventory.updated',
    record: 'pet',
    id: data.petId,
    data,
    before,
    ...by,
  })
}

function itemOf({ petId, onHand, status }: Stock): InventoryItem | undefined {
  return status === null ? undefined : { petId, quantity: onHand, status }
}

/** The pet as clients read it. */
export function petOf({ petId, name, categoryId, status }: Stock) {
  return { id: petId, name, categoryId, ...(status === null ? {} : { status }) }
}
