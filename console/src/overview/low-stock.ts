import type { Int64, InventoryItem, Order } from '../../../client/src/index.ts'

/** A pet with at most so many left to sell has low stock. */
export const lowStockMax = 3

/** A pet with low stock. */
export type LowStock = {
  petId: Int64
  /** In stock, with those that open orders hold. */
  quantity: number
  /** Left to sell; at most that many where not all open orders are known. */
  free: number
}

/** The ordered pets with low stock: without those that existed once, the fewest left first. */
export function listLowStock(
  stock: readonly InventoryItem[],
  { open, delivered }: { open: readonly Order[]; delivered: readonly Order[] },
): LowStock[] {
  const byPet = (orders: readonly Order[]) => Map.groupBy(orders, ({ petId }) => String(petId))
  const [openOf, deliveredOf] = [byPet(open), byPet(delivered)]
  return stock
    .map((item) => {
      const name = String(item.petId)
      return findLowStock(item, openOf.get(name) ?? [], deliveredOf.get(name) ?? [])
    })
    .filter((low) => low !== undefined)
    .sort((one, other) => one.free - other.free)
}

/** Undefined where enough is left, where staff set the pet aside, and where there was only one. */
function findLowStock(
  { petId, quantity, status }: InventoryItem,
  open: readonly Order[],
  delivered: readonly Order[],
): LowStock | undefined {
  const held = unitsOf(open)
  // The service derives the status from the stock, but for one that staff wrote: then no order is open.
  const free = status === 'available' ? Math.max(0, quantity - held) : 0
  const isSingle = quantity + unitsOf(delivered) <= 1
  const isSetAside = status === 'pending' && open.length === 0
  if (free > lowStockMax || isSetAside || isSingle) return undefined
  return { petId, quantity, free }
}

function unitsOf(orders: readonly Order[]): number {
  return orders.reduce((sum, { quantity }) => sum + quantity, 0)
}
