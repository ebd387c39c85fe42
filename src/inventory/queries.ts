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
  const rows = await sql.all<[bigint, PetStatus | null, PetStatus | null, bigint, bigint]>(
    `select id, status, stated, on_hand, reserved from pets where ${sql.isAnyOf('id', '?1')}
    order by id${sql.forUpdate}`,
    [sql.set(petIds)],
  )
  return rows.map(([petId, status, stated, onHand, reserved]) => ({
    petId,
    status,
    stated,
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

/** Gives back what due orders hold of these animals, and expires them; answers whether there were any. */
export async function updateDue(
  sql: Sql,
  petIds: readonly bigint[],
  now: number,
): Promise<boolean> {
  const due = `${sql.isAnyOf('pet_id', '?1')} and due_at <= ?2`
  const released = await sql.all(
    `update pets set reserved = reserved - due.quantity
    from (select pet_id, sum(quantity) as quantity from orders where ${due} group by pet_id) as due
    where pets.id = due.pet_id
    returning id`,
    [sql.set(petIds), now],
  )
  await sql.all(`update orders set status = 'expired' where ${due}`, [sql.set(petIds), now])
  return released.length > 0
}
