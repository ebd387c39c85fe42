import { Refusal, type Sql } from '../db/seam.ts'
import { selectStocks, updateDelivered, updateDue, updateReserved } from './queries.ts'
import type { Stock } from './stock.ts'

/**
 * Locks animals in the order of their ids, so that no two who lock several wait for each other, and takes back what
 * orders hold of them whose time is over. Answers their stock; whoever is not there is not in it.
 */
export async function lockStocks(
  sql: Sql,
  petIds: readonly bigint[],
  now: number,
): Promise<ReadonlyMap<bigint, Stock>> {
  const stocks = await selectStocks(sql, petIds)
  const isReleased = await updateDue(sql, petIds, now)
  const current = isReleased ? await selectStocks(sql, petIds) : stocks
  return new Map(current.map((stock) => [stock.petId, stock]))
}

/** As `lockStocks`, for one animal. */
export async function lockStock(sql: Sql, petId: bigint, now: number): Promise<Stock | undefined> {
  return (await lockStocks(sql, [petId], now)).get(petId)
}

/** Holds so many of an animal that is locked for an order. Throws `pet_not_available`, `insufficient_stock`. */
export async function reserve(
  sql: Sql,
  { petId, status, onHand, reserved }: Stock,
  quantity: number,
): Promise<void> {
  if (status !== 'available') {
    const reason = status === null ? 'not for sale' : status
    throw new Refusal('pet_not_available', `Pet ${petId} is ${reason}.`)
  }
  const free = onHand - reserved
  if (free < quantity) {
    throw new Refusal(
      'insufficient_stock',
      `Of pet ${petId} there are ${free} that no order holds, and this order is for ${quantity}.`,
    )
  }
  await updateReserved(sql, petId, quantity)
}

/** Gives back what an order holds. The animal is locked. */
export function release(sql: Sql, petId: bigint, quantity: number): Promise<void> {
  return updateReserved(sql, petId, -quantity)
}

/** Takes what an order holds out of the store. The animal is locked. */
export function handOver(sql: Sql, petId: bigint, quantity: number): Promise<void> {
  return updateDelivered(sql, petId, quantity)
}

/** What is told to whoever changes an animal that an open order holds. */
export function petInOpenOrder({ petId, reserved }: Stock): Refusal {
  return new Refusal(
    'pet_in_open_order',
    `Open orders hold ${reserved} of pet ${petId}: they have to be delivered or cancelled first.`,
  )
}
