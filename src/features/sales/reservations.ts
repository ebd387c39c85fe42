import type { ErrorCode } from '../../contract/error-codes.ts'
import type { PetStatus } from '../../contract/pet-status.ts'
import type { Sql } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import { selectOpenOrderIds, updateOnHand } from './queries.ts'
import { type Stock, statusOf } from './stock.ts'

/** Why stock cannot be reserved. `heldPetId`: the message is to name the open orders of this pet. */
type Shortage = { code: ErrorCode; message: string; heldPetId?: bigint }

/** Reserves stock of a locked pet for an order; returns why that is not possible. The caller stores it. */
export function reserve(
  stock: Stock | undefined,
  { petId, quantity }: { petId: bigint; quantity: number },
): Shortage | undefined {
  if (!stock) return { code: 'not_found', message: `There is no pet with the id ${petId}` }
  const { status, stated, onHand, reserved } = stock
  const code = 'pet_not_available'
  if (status === null) {
    return { code, message: `Pet ${petId} is not for sale: it has no status` }
  }
  if (status === 'pending' && stated === 'available') {
    const message = `Pet ${petId} is pending: open orders hold all of it`
    return { code, message, heldPetId: petId }
  }
  if (status !== 'available') return { code, message: `Pet ${petId} is ${status}` }
  const free = onHand - reserved
  if (free < quantity) {
    const message = `Pet ${petId} has ${free} in stock that no order holds; this order is for ${quantity}`
    return { code: 'insufficient_stock', message }
  }
  setReserved(stock, reserved + quantity)
  return undefined
}

/** The refusals for shortages, in order; undefined where there is none. */
export async function refusalsOf(
  sql: Sql,
  shortages: readonly (Shortage | undefined)[],
): Promise<(Refusal | undefined)[]> {
  const names = new Map<bigint, string>()
  for (const shortage of shortages) {
    const petId = shortage?.heldPetId
    if (petId === undefined || names.has(petId)) continue
    names.set(petId, await namesOfHoldingOrders(sql, petId))
  }
  return shortages.map((shortage) => {
    if (!shortage) return undefined
    const { code, message, heldPetId } = shortage
    return refusal(code, `${message}${heldPetId === undefined ? '' : names.get(heldPetId)}.`)
  })
}

/** Releases what an order reserved of a locked pet. The caller stores it. */
export function release(stock: Stock, quantity: number): void {
  setReserved(stock, stock.reserved - quantity)
}

/** Removes what an order reserved of a locked pet from the stock. The caller stores it. */
export function fulfil(stock: Stock, quantity: number): void {
  stock.onHand -= quantity
  setReserved(stock, stock.reserved - quantity)
}

function setReserved(stock: Stock, reserved: number): void {
  stock.reserved = reserved
  stock.status = statusOf(stock)
}

/**
 * Sets the stock of a locked pet without reservations to what its new status needs: none when sold, at least one when
 * available. Clients then read the stated status. Returns how many are on hand.
 */
export async function adjustStock(sql: Sql, stock: Stock, status: PetStatus): Promise<number> {
  const onHand = { available: Math.max(1, stock.onHand), pending: stock.onHand, sold: 0 }[status]
  if (onHand !== stock.onHand) await updateOnHand(sql, stock.petId, onHand)
  return onHand
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

/** How many orders a message names. */
const namedMax = 5

/** Names the open orders of a pet for a message: ` (order 3)`, ` (orders 3, 5 and others)`. */
async function namesOfHoldingOrders(sql: Sql, petId: bigint): Promise<string> {
  const ids = await selectOpenOrderIds(sql, petId, namedMax + 1)
  const named = ids.slice(0, namedMax).map(String)
  if (ids.length === 0) return ''
  if (ids.length === 1) return ` (order ${named[0]})`
  const last = ids.length > namedMax ? 'others' : named.pop()
  return ` (orders ${named.join(', ')} and ${last})`
}
