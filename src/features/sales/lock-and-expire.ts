import type { Sql } from '../../db/db.ts'
import { updateDueExpired } from './queries.ts'
import { lockStocks, releaseMany } from './reservations.ts'
import type { Stock } from './stock.ts'

/**
 * Locks pets in order of ids, and expires their due orders. Returns their stock afterwards; missing pets are omitted.
 */
export async function lockAndExpire(
  sql: Sql,
  petIds: readonly bigint[],
  now: number,
): Promise<Stock[]> {
  const stocks = await lockStocks(sql, petIds)
  const expired = await updateDueExpired(sql, petIds, now)
  if (expired.size === 0) return stocks
  await releaseMany(
    sql,
    [...expired].map(([petId, quantity]) => ({ petId, quantity })),
  )
  return lockStocks(sql, petIds)
}

/** As `lockAndExpire`, for one pet. */
export async function lockAndExpireOne(
  sql: Sql,
  petId: bigint,
  now: number,
): Promise<Stock | undefined> {
  const [stock] = await lockAndExpire(sql, [petId], now)
  return stock
}
