import type { Sql } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import {
  selectStocks,
  type Units,
  updateDelivered,
  updateReleased,
  updateReserved,
} from './queries.ts'
import type { Stock } from './stock.ts'

/**
 * Locks pets in order of ids, so that transactions that lock several cannot deadlock. Returns their stock; missing pets
 * are omitted.
 */
export function lockStocks(sql: Sql, petIds: readonly bigint[]): Promise<Stock[]> {
  return selectStocks(sql, petIds)
}

/** Reserves stock of a locked pet for an order. Throws `pet_not_available`, `insufficient_stock`. */
export async function reserve(
  sql: Sql,
  { petId, status, onHand, reserved }: Stock,
  quantity: number,
): Promise<void> {
  if (status !== 'available') {
    const reason = status === null ? 'not for sale' : status
    throw refusal('pet_not_available', `Pet ${petId} is ${reason}.`)
  }
  const free = onHand - reserved
  if (free < quantity) {
    throw refusal(
      'insufficient_stock',
      `Pet ${petId} has ${free} in stock that no order holds; this order is for ${quantity}.`,
    )
  }
  await updateReserved(sql, petId, quantity)
}

/** Releases what an order reserved of a locked pet. */
export function release(sql: Sql, petId: bigint, quantity: number): Promise<void> {
  return updateReserved(sql, petId, -quantity)
}

/** Releases what expired orders reserved of locked pets. */
export function releaseMany(sql: Sql, released: readonly Units[]): Promise<void> {
  return updateReleased(sql, released)
}

/** Removes what an order reserved of a locked pet from the stock. */
export function fulfil(sql: Sql, petId: bigint, quantity: number): Promise<void> {
  return updateDelivered(sql, petId, quantity)
}

/** The error for a change to a pet that an open order holds. */
export function petInOpenOrder({ petId, reserved }: Stock): Refusal {
  return refusal(
    'pet_in_open_order',
    `Open orders hold ${reserved} of pet ${petId}. Deliver or cancel them first.`,
  )
}
