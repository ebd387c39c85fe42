import { listStatements } from '../db/page.ts'
import type { Row, Sql } from '../db/seam.ts'
import type { InventoryFilter, InventoryItem } from './contract.ts'
import type { PetStatus } from './pet-status.ts'
import type { Stock } from './stock.ts'

/** Animals that have a status. */
export const inventoryList = listStatements<InventoryFilter, InventoryItem>('inventory', {
  table: 'pets',
  columns: 'id, on_hand, status',
  conditionsOf: ({ status, petId }) => [
    ...(petId === undefined ? [] : [{ column: 'id', anyOf: petId }]),
    status === undefined
      ? { column: 'stated', isNull: false }
      : { column: 'status', equals: status },
  ],
  itemOf(row: Row): InventoryItem {
    const [petId, onHand, status] = row as [bigint, bigint, PetStatus]
    return { petId, quantity: Number(onHand), status }
  },
})

/** The stock of those of these animals that there are, locked in the order of their ids. */
export async function selectStocks(sql: Sql, petIds: readonly bigint[]): Promise<Stock[]> {
  const rows = await sql.all<[bigint, PetStatus | null, bigint, bigint]>(
    `select id, status, on_hand, reserved from pets where ${sql.isAnyOf('id', '?1')}
    order by id${sql.forUpdate}`,
    [sql.set(petIds)],
  )
  return rows.map(([petId, status, onHand, reserved]) => ({
    petId,
    status,
    onHand: Number(onHand),
    reserved: Number(reserved),
  }))
}

/** What an order takes or gives back: a negative quantity is given back. */
export async function updateReserved(sql: Sql, petId: bigint, more: number): Promise<void> {
  await sql.all('update pets set reserved = reserved + ?2 where id = ?1', [petId, more])
}

/** What was held leaves the store. */
export async function updateDelivered(sql: Sql, petId: bigint, quantity: number): Promise<void> {
  await sql.all('update pets set reserved = reserved - ?2, on_hand = on_hand - ?2 where id = ?1', [
    petId,
    quantity,
  ])
}

export async function updateOnHand(sql: Sql, petId: bigint, onHand: number): Promise<void> {
  await sql.all('update pets set on_hand = ?2 where id = ?1', [petId, onHand])
}

/** Expires the pending orders of these animals whose time is over, and answers what they held. */
export async function updateDueOrders(
  sql: Sql,
  petIds: readonly bigint[],
  now: number,
): Promise<{ petId: bigint; quantity: number }[]> {
  const rows = await sql.all<[bigint, bigint]>(
    `update orders set status = 'expired' where ${sql.isAnyOf('pet_id', '?1')} and due_at <= ?2
    returning pet_id, quantity`,
    [sql.set(petIds), now],
  )
  return rows.map(([petId, quantity]) => ({ petId, quantity: Number(quantity) }))
}
