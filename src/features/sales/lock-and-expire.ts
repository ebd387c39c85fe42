import type { Tx } from '../../db/db.ts'
import { selectStocks, updateDueExpired, updateStocks } from './queries.ts'
import { recordStock } from './record-stock.ts'
import { release } from './reservations.ts'
import type { Stock } from './stock.ts'

/** A pet to lock, at an instant in milliseconds since 1970. */
type PetToLock = { petId: bigint; now: number }

/** No input asks for an expiry, not even one that meets a due order. */
const actor = { type: 'job', name: 'expireOrders' } as const

/**
 * Locks pets in order of ids, so that transactions that lock several cannot deadlock, and expires their due orders.
 * Returns their stock afterwards; missing pets are omitted.
 */
export async function lockAndExpire(
  tx: Tx,
  targets: readonly PetToLock[],
): Promise<Map<bigint, Stock>> {
  const petIds = [...new Set(targets.map(({ petId }) => petId))]
  const now = targets.reduce((latest, target) => Math.max(latest, target.now), 0)
  const stocks = new Map((await selectStocks(tx, petIds)).map((stock) => [stock.petId, stock]))
  const released: Stock[] = []
  for (const order of await updateDueExpired(tx, petIds, now)) {
    const before = { ...order, status: 'pending' }
    const { id } = order
    tx.record(undefined, { type: 'order.expired', record: 'order', id, data: order, before, actor })
    const stock = stocks.get(order.petId)
    if (!stock) continue
    const held = { ...stock }
    release(stock, order.quantity)
    recordStock(tx, undefined, { before: held, after: stock, actor })
    released.push(stock)
  }
  await updateStocks(tx, released)
  return stocks
}

/** As `lockAndExpire`, for one pet. */
export async function lockAndExpireOne(
  tx: Tx,
  petId: bigint,
  now: number,
): Promise<Stock | undefined> {
  return (await lockAndExpire(tx, [{ petId, now }])).get(petId)
}
