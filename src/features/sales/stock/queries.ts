import { isPetStatus, type PetStatus } from '../../../contract/pet-status.ts'
import { isId, isWithin, requireSound } from '../../../db/damaged-row.ts'
import type { Row, Sql } from '../../../db/db.ts'
import { queryById } from '../../../db/lists/by-id.ts'
import { listStatements } from '../../../db/lists/page.ts'
import type { InventoryFilter, InventoryItem } from '../contract/inventory.ts'
import { quantityMax, type Stock } from '../stock.ts'

const columns = 'id, on_hand, status'

/** Pets that have a status. */
export const inventoryList = listStatements<InventoryFilter, InventoryItem>('inventory', {
  table: 'pets',
  columns,
  conditionsOf: ({ status, petId }) => [
    ...(petId === undefined ? [] : [{ column: 'id', anyOf: petId }]),
    status === undefined
      ? { column: 'stated', isNull: false }
      : { column: 'status', equals: status },
  ],
  itemOf,
})

/** The stock of a pet that has a status. */
export const selectInventoryItem = queryById<InventoryItem | undefined>({
  table: 'pets',
  columns,
  itemOf: (row) => (row[2] === null ? undefined : itemOf(row)),
})

function itemOf(row: Row): InventoryItem {
  const [petId, onHand, status] = row as [bigint, bigint, PetStatus]
  requireSound('pets', petId, {
    id: isId(petId),
    on_hand: isQuantity(onHand),
    status: isPetStatus(status),
  })
  return { petId, quantity: Number(onHand), status }
}

/** The stock of these pets, locked in order of ids; missing pets are omitted. */
export async function selectStocks(sql: Sql, petIds: readonly bigint[]): Promise<Stock[]> {
  const rows = await sql.all<[bigint, PetStatus | null, PetStatus | null, bigint, bigint]>(
    `select id, status, stated, on_hand, reserved from pets where ${sql.isAnyOf('id', '?1')}
    order by id${sql.forUpdate}`,
    [sql.set(petIds)],
  )
  return rows.map(([petId, status, stated, onHand, reserved]) => {
    requireSound('pets', petId, {
      status: status === null || isPetStatus(status),
      stated: stated === null || isPetStatus(stated),
      on_hand: isQuantity(onHand),
      reserved: isQuantity(reserved),
    })
    return { petId, status, stated, onHand: Number(onHand), reserved: Number(reserved) }
  })
}

function isQuantity(value: unknown): boolean {
  return isWithin(value, 0n, BigInt(quantityMax))
}

/** Reserves more of a pet; a negative number releases. */
export async function updateReserved(sql: Sql, petId: bigint, more: number): Promise<void> {
  await sql.all('update pets set reserved = reserved + ?2 where id = ?1', [petId, more])
}

/** Removes units that an order reserved. */
export async function updateDelivered(sql: Sql, petId: bigint, quantity: number): Promise<void> {
  await sql.all('update pets set reserved = reserved - ?2, on_hand = on_hand - ?2 where id = ?1', [
    petId,
    quantity,
  ])
}

export async function updateOnHand(sql: Sql, petId: bigint, onHand: number): Promise<void> {
  await sql.all('update pets set on_hand = ?2 where id = ?1', [petId, onHand])
}

/** A number of units of one pet. */
export type Units = { petId: bigint; quantity: number }

/** Releases reserved units; each pet occurs once. One statement for all: each would be a round trip to the server. */
export async function updateReleased(sql: Sql, released: readonly Units[]): Promise<void> {
  const rows = released.map(
    (_, index) => `(cast(?${2 * index + 1} as bigint), cast(?${2 * index + 2} as bigint))`,
  )
  await sql.all(
    `with released (pet_id, quantity) as (values ${rows.join(', ')})
    update pets set reserved = reserved - released.quantity from released where pets.id = released.pet_id`,
    released.flatMap(({ petId, quantity }) => [petId, quantity]),
  )
}
