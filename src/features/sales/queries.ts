import { parseInstant } from '../../contract/instant.ts'
import { int64Max } from '../../contract/int64.ts'
import { isPetStatus, type PetStatus } from '../../contract/pet-status.ts'
import type { Price } from '../../contract/price.ts'
import { sheetFormats } from '../../contract/sheets.ts'
import * as Type from '../../contract/type.ts'
import type { Query, Sql } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { exportOf } from '../../db/lists/export.ts'
import { type List, listStatements } from '../../db/lists/page.ts'
import { isWithin, requireSound } from '../../db/records/damaged-row.ts'
import { defineTable } from '../../db/records/records.ts'
import { columnsOf } from '../../db/records/rows.ts'
import { type InventoryFilter, InventoryItem } from './contract/inventory.ts'
import {
  exportedOrder,
  type NewOrder,
  type Order,
  type OrderStatus,
  type OrdersFilter,
  order,
} from './contract/orders.ts'
import { quantityMax, type Stock } from './stock.ts'

const derive = { complete: ({ status }: { status: OrderStatus }) => status === 'delivered' }

export const orderTable = defineTable('orders', order.Item, { derive })

export const { columns: orderColumns, itemOf: orderOf } = orderTable

const orders: List<OrdersFilter, Order> = {
  ...orderTable,
  conditionsOf: ({ status, petId, id, reference, createdAfter, createdBefore }) => [
    ...(id === undefined ? [] : [{ column: 'id', anyOf: id }]),
    ...(petId === undefined ? [] : [{ column: 'pet_id', equals: petId }]),
    ...(reference === undefined ? [] : [{ column: 'reference', equals: reference }]),
    ...(status === undefined ? [] : [{ column: 'status', equals: status }]),
    ...(createdAfter === undefined && createdBefore === undefined
      ? []
      : [
          {
            column: 'created_at',
            from: msOf(createdAfter) ?? 0n,
            // With one bound PostgreSQL, which plans once for all values, would read the whole table.
            below: msOf(createdBefore) ?? int64Max,
          },
        ]),
  ],
}

/** Valid instants only. */
function msOf(instant: string | undefined): bigint | undefined {
  return instant === undefined ? undefined : BigInt(parseInstant(instant) as number)
}

export const ordersList = listStatements('orders', orders)

const exportedTable = defineTable('orders', Type.Object(exportedOrder), { derive })

export const ordersExport = exportOf(
  'orders',
  { ...orders, ...exportedTable },
  sheetFormats(exportedTable.members),
)

export const selectOrder = queryById(orderTable)

/** Instants in milliseconds since 1970. */
export type OrderToPlace = NewOrder & {
  quantity: number
  now: number
  expiresAt: number | undefined
  unitPrice?: Price | undefined
  /** Of demo data: what the order has come to since. */
  status?: OrderStatus
  shipDate?: number | undefined
}

const insertedColumns = [
  ...columnsOf('bigint', 'pet_id', 'quantity'),
  ...columnsOf('text', 'status'),
  ...columnsOf('bigint', 'created_at', 'ship_date', 'expires_at'),
  ...columnsOf('text', 'reference', 'unit_price_amount', 'unit_price_currency'),
]

/** Returns the new orders, in the order of the input. */
export async function insertOrders(sql: Sql, orders: readonly OrderToPlace[]): Promise<Order[]> {
  if (orders.length === 0) return []
  const rows = orders.map(
    ({ petId, quantity, status = 'pending', reference, now, shipDate, expiresAt, unitPrice }) => [
      petId,
      BigInt(quantity),
      status,
      BigInt(now),
      shipDate === undefined ? null : BigInt(shipDate),
      expiresAt === undefined ? null : BigInt(expiresAt),
      reference ?? null,
      ...[unitPrice?.amount ?? null, unitPrice?.currency ?? null],
    ],
  )
  const ids = await sql.insert('orders', insertedColumns, rows)
  return rows.map((row, index) => orderOf([ids[index] as bigint, ...row]))
}

/** Stores the status and ship date of orders. */
export async function updateOrders(sql: Sql, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return
  const { from, parameters } = sql.rows(
    [...columnsOf('bigint', 'id', 'ship_date'), ...columnsOf('text', 'status')],
    orders.map(({ id, shipDate, status }) => [
      ...[id, shipDate === undefined ? null : Date.parse(shipDate), status],
    ]),
  )
  await sql.all(
    `update orders set status = input.status, ship_date = input.ship_date from ${from} where orders.id = input.id`,
    parameters,
  )
}

/** The most orders that one transaction expires: each is one event, or two, of the 65,536 that it may log. */
const expiredMax = 10_000

/** Expires the earliest due orders of these pets, and returns them in the order of ids. */
export async function updateDueExpired(
  sql: Sql,
  petIds: readonly bigint[],
  now: number,
): Promise<Order[]> {
  const rows = await sql.all(
    `update orders set status = 'expired' where id in (
      select id from orders where ${sql.isAnyOf('pet_id', '?1')} and due_at <= ?2
      order by due_at limit ${expiredMax}
    ) returning ${orderColumns}`,
    [sql.set(petIds), now],
  )
  return rows.map(orderOf).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The first open orders of each pet, in order of ids. By status, since a pet may have any number of closed ones. */
export async function selectOpenOrderIds(
  sql: Sql,
  petIds: readonly bigint[],
  limit: number,
): Promise<[petId: bigint, ids: string[]][]> {
  if (petIds.length === 0) return []
  const ofStatus = (status: string) =>
    `select id from (
      select id from orders where pet_id = input.pet_id and status = '${status}' order by id limit ${limit}
    ) as ${status}`
  const { from, parameters } = sql.rows(
    columnsOf('bigint', 'pet_id'),
    petIds.map((petId) => [petId]),
  )
  const rows = await sql.all<[bigint, string | null]>(
    `select pet_id, (
      select string_agg(cast(id as text), ' ' order by id) from (
        ${ofStatus('pending')} union all ${ofStatus('shipped')} order by id limit ${limit}
      ) as held
    ) from ${from}`,
    parameters,
  )
  return rows.map(([petId, ids]) => [petId, ids?.split(' ') ?? []])
}

/** The pets of the earliest due orders. */
export async function selectDuePets(sql: Sql, now: number, limit: number): Promise<bigint[]> {
  const rows = await sql.all<[bigint]>(
    'select pet_id from orders where due_at <= ?1 order by due_at limit ?2',
    [now, limit],
  )
  return [...new Set(rows.map(([petId]) => petId))]
}

/** Whether a pending order is due. */
export const selectIsDue: Query<number, boolean> = {
  key: String,
  async run(sql, instants) {
    const [row] = await sql.all<[bigint | null]>(
      'select min(due_at) from orders where due_at is not null',
    )
    const first = row?.[0] ?? null
    return instants.map((now) => first !== null && first <= BigInt(now))
  },
}

const itemTable = defineTable('pets', InventoryItem)

/** Pets that have a status. */
const inventory: List<InventoryFilter, InventoryItem> = {
  ...itemTable,
  conditionsOf: ({ status, petId }) => [
    ...(petId === undefined ? [] : [{ column: 'id', anyOf: petId }]),
    status === undefined
      ? { column: 'stated', isNull: false }
      : { column: 'status', equals: status },
  ],
}

export const inventoryList = listStatements('inventory', inventory)

export const inventoryExport = exportOf('inventory', inventory, sheetFormats(itemTable.members))

/** The stock of a pet that has a status. */
export const selectInventoryItem = queryById<InventoryItem | undefined>({
  ...itemTable,
  itemOf: (row) => (row[2] === null ? undefined : itemTable.itemOf(row)),
})

/** The stock of these pets, locked in order of ids; missing pets are omitted. */
export async function selectStocks(sql: Sql, petIds: readonly bigint[]): Promise<Stock[]> {
  type StockRow = [bigint, string, bigint, PetStatus | null, PetStatus | null, bigint, bigint]
  const rows = await sql.all<StockRow>(
    `select id, name, category_id, status, stated, on_hand, reserved from pets
    where ${sql.isAnyOf('id', '?1')} order by id${sql.forUpdate}`,
    [sql.set(petIds)],
  )
  return rows.map(([petId, name, categoryId, status, stated, onHand, reserved]) => {
    requireSound('pets', petId, {
      status: status === null || isPetStatus(status),
      stated: stated === null || isPetStatus(stated),
      on_hand: isQuantity(onHand),
      reserved: isQuantity(reserved),
    })
    const quantities = { onHand: Number(onHand), reserved: Number(reserved) }
    return { petId, name, categoryId, status, stated, ...quantities }
  })
}

function isQuantity(value: unknown): boolean {
  return isWithin(value, 0n, BigInt(quantityMax))
}

export async function updateOnHand(sql: Sql, petId: bigint, onHand: number): Promise<void> {
  await sql.all('update pets set on_hand = ?2 where id = ?1', [petId, onHand])
}

/** Stores the quantities of locked stocks. */
export async function updateStocks(sql: Sql, stocks: readonly Stock[]): Promise<void> {
  if (stocks.length === 0) return
  const { from, parameters } = sql.rows(
    columnsOf('bigint', 'id', 'on_hand', 'reserved'),
    [...new Set(stocks)].map(({ petId, onHand, reserved }) => [petId, onHand, reserved]),
  )
  await sql.all(
    `update pets set on_hand = input.on_hand, reserved = input.reserved from ${from} where pets.id = input.id`,
    parameters,
  )
}
