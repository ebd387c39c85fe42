import type { Sql } from '../../db/db.ts'
import { selectStocks, updateDueExpired, updateStocks } from './queries.ts'
import { release } from './reservations.ts'
import type { Stock } from './stock.ts'

/** A pet to lock, at an instant in milliseconds since 1970. */
type PetToLock = { petId: bigint; now: number }

/**
 * Locks pets in order of ids, so that transactions that lock several cannot deadlock, and expires their due orders.
 * Returns their stock afterwards; missing pets are omitted.
 */
export async function lockAndExpire(
  sql: Sql,
  targets: readonly PetToLock[],
): Promise<Map<bigint, Stock>> {
  const petIds = [...new Set(targets.map(({ petId }) => petId))]
  const now = targets.reduce((latest, target) => Math.max(latest, target.now), 0)
  const stocks = new Map((await selectStocks(sql, petIds)).map((stock) => [stock.petId, stock]))
  const released: Stock[] = []
  for (const { petId, quantity } of await updateDueExpired(sql, petIds, now)) {
    const stock = stocks.get(petId)
    if (!stock) continue
    release(stock, quantity)
    released.push(stock)
  }
  await updateStocks(sql, released)
  return stocks
}

/** As `lockAndExpire`, for one pet. */
export async function lockAndExpireOne(
  sql: Sql,
  petId: bigint,
  now: number,
): Promise<Stock | undefined> {
  return (await lockAndExpire(sql, [{ petId, now }])).get(petId)
}
