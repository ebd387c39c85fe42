import type { Sql, Tx } from '../../db/db.ts'
import { selectStocks, updateDueExpired, updateStocks } from './queries.ts'
import { recordStock } from './record-stock.ts'
import { release } from './reservations.ts'
import type { Stock } from './stock.ts'

/** A pet to lock, at an instant in milliseconds since 1970. */
type PetToLock = { petId: bigint; now: number }

/** No input asks for an expiry, not even one that meets a due order. */
const actor = { type: 'job', name: 'expireOrders' } as const

/** Locks pets, and expires their due orders. Returns their stock afterwards; missing pets are omitted. */
export async function lockAndExpire(
  tx: Tx,
  targets: readonly PetToLock[],
): Promise<Map<bigint, Stock>> {
  const stocks = await lockStocks(
    tx,
    targets.map(({ petId }) => petId),
  )
  await expireDue(tx, stocks, targets)
  return stocks
}

/**
 * Locks pets in order of ids, so that transactions that lock several cannot deadlock. Returns their stock; missing pets are
 * omitted.
 */
export async function lockStocks(sql: Sql, petIds: readonly bigint[]): Promise<Map<bigint, Stock>> {
  const stocks = await selectStocks(sql, [...new Set(petIds)])
  return new Map(stocks.map((stock) => [stock.petId, stock]))
}

/** Expires the due orders of locked pets, and updates their stock. */
export async function expireDue(
  tx: Tx,
  stocks: ReadonlyMap<bigint, Stock>,
  targets: readonly PetToLock[],
): Promise<void> {
  if (targets.length === 0) return
  const petIds = [...new Set(targets.map(({ petId }) => petId))]
  const now = targets.reduce((latest, target) => Math.max(latest, target.now), 0)
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
}
