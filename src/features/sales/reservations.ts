import type { PetStatus } from '../../contract/pet-status.ts'
import type { Sql } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import { namesOfHoldingOrders } from './holding-orders.ts'
import {
  selectStocks,
  type Units,
  updateDelivered,
  updateOnHand,
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
  { petId, status, stated, onHand, reserved }: Stock,
  quantity: number,
): Promise<void> {
  if (status !== 'available') {
    const isHeld = status === 'pending' && stated === 'available'
    const why = isHeld
      ? `: open orders hold all of it${await namesOfHoldingOrders(sql, petId)}`
      : status === null
        ? ': it has no status'
        : ''
    throw refusal('pet_not_available', `Pet ${petId} is ${status ?? 'not for sale'}${why}.`)
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

/**
 * Sets the stock of a locked pet without reservations to what its new status needs: none when sold, at least one when
 * available. Clients then read the stated status.
 */
export async function adjustStock(sql: Sql, stock: Stock, status: PetStatus): Promise<void> {
  const onHand = { available: Math.max(1, stock.onHand), pending: stock.onHand, sold: 0 }[status]
  if (onHand !== stock.onHand) await updateOnHand(sql, stock.petId, onHand)
}

/** The error for a change to a pet that an open order holds. */
export async function petInOpenOrder(sql: Sql, stock: Stock): Promise<Refusal> {
  const held = await describeHeld(sql, stock)
  return refusal('pet_in_open_order', `${held}. Deliver or cancel them first.`)
}

/** How much of a pet open orders hold, and which ones. */
export async function describeHeld(sql: Sql, { petId, reserved }: Stock): Promise<string> {
  return `Open orders hold ${reserved} of pet ${petId}${await namesOfHoldingOrders(sql, petId)}`
}
