import { countScan, type List, pageQuery } from '../db/page.ts'
import type { Row } from '../db/seam.ts'
import type { Order, OrderStatus, OrdersQuery } from './contract.ts'

const orders: List<OrdersQuery, Order> = {
  table: 'orders',
  columns: 'id, pet_id, quantity, status, reference, created_at, ship_date, expires_at',
  conditionsOf: ({ status, petId }) => [
    ...(petId === undefined ? [] : [{ column: 'pet_id', equals: petId }]),
    ...(status === undefined ? [] : [{ column: 'status', equals: status }]),
  ],
  itemOf: orderOf,
}

export const selectOrders = pageQuery(orders)
export const countOrders = countScan('countOrders', orders)

function orderOf(row: Row): Order {
  const [id, petId, quantity, status, reference, createdAt, shipDate, expiresAt] = row as [
    bigint,
    bigint,
    bigint,
    OrderStatus,
    string | null,
    bigint,
    bigint | null,
    bigint | null,
  ]
  return {
    id,
    petId,
    quantity: Number(quantity),
    status,
    complete: status === 'delivered',
    createdAt: isoOf(createdAt),
    ...(shipDate === null ? {} : { shipDate: isoOf(shipDate) }),
    ...(expiresAt === null ? {} : { expiresAt: isoOf(expiresAt) }),
    ...(reference === null ? {} : { reference }),
  }
}

function isoOf(ms: bigint): string {
  return new Date(Number(ms)).toISOString()
}
