import type { ErrorCode } from '../../contract/error-codes.ts'
import type { PetStatus } from '../../contract/pet-status.ts'
import type { Sql } from '../../db/db.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import { selectOpenOrderIds, updateStocks } from './queries.ts'
import { type Stock, statusOf } from './stock.ts'

/** Why stock cannot be reserved. `heldPetId`: the message is to name the open orders of this pet. */
type Shortage = { code: ErrorCode; message: string; heldPetId?: bigint }

/** Reserves stock of a locked pet for an order; returns why that is not possible: a sold pet is not ordered. The caller stores it. */
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
  if (status === 'sold' || status === 'pending')
    return { code, message: `Pet ${petId} is ${status}` }
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
  const held = shortages.flatMap((shortage) => shortage?.heldPetId ?? [])
  const names = await namesOfHoldingOrders(sql, [...new Set(held)])
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
 * States the status of a locked pet without reservations, and sets its stock to what that needs: none when sold, at least one
 * when available. Clients then read the stated status. The caller stores it.
 */
export function state(stock: Stock, status: PetStatus): void {
  stock.stated = status
  stock.status = status
  if (status === 'sold') stock.onHand = 0
  if (status === 'available') stock.onHand = Math.max(1, stock.onHand)
}

/** Stores the stock of pets, after `state`. */
export const storeStocks = updateStocks

/** The error for a change to a pet that open orders hold, as `describeHeld` says. */
export function petInOpenOrder(held: string | undefined): Refusal {
  return refusal('pet_in_open_order', `${held}. Deliver or cancel them first.`)
}

/** By pet, how much of it open orders hold, and which ones. */
export async function describeHeld(
  sql: Sql,
  stocks: readonly Stock[],
): Promise<ReadonlyMap<bigint, string>> {
  const names = await namesOfHoldingOrders(
    sql,
    stocks.map(({ petId }) => petId),
  )
  return new Map(
    stocks.map(({ petId, reserved }) => [
      petId,
      `Open orders hold ${reserved} of pet ${petId}${names.get(petId)}`,
    ]),
  )
}

/** How many orders a message names. */
const namedMax = 5

/** Names the open orders of each pet for a message: ` (order 3)`, ` (orders 3, 5 and others)`. */
async function namesOfHoldingOrders(
  sql: Sql,
  petIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const found = await selectOpenOrderIds(sql, petIds, namedMax + 1)
  return new Map(found.map(([petId, ids]) => [petId, nameOrders(ids)]))
}

function nameOrders(ids: readonly string[]): string {
  const named = ids.slice(0, namedMax)
  if (ids.length === 0) return ''
  if (ids.length === 1) return ` (order ${named[0]})`
  const last = ids.length > namedMax ? 'others' : named.pop()
  return ` (orders ${named.join(', ')} and ${last})`
}
