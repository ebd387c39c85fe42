import Type from 'typebox'
import { defineOperation } from '../http/operation.ts'
import { int64 } from '../http/schema.ts'

const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled', 'expired'] as const

export const OrderStatus = Type.Unsafe<(typeof orderStatuses)[number]>({
  $id: 'OrderStatus',
  type: 'string',
  enum: orderStatuses,
  description:
    'Where an order stands: pending, then shipped, then delivered; or cancelled, or expired.',
  allowed: 'pending, shipped, delivered, cancelled or expired',
})
export type OrderStatus = Type.Static<typeof OrderStatus>

const instant = (description: string) => Type.String({ format: 'date-time', description })

export const Order = Type.Object(
  {
    id: int64({ description: 'Unique identifier assigned by the service.', minimum: 1 }),
    petId: int64({ description: 'The animal that is ordered.' }),
    quantity: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many are ordered.',
    }),
    status: OrderStatus,
    complete: Type.Boolean({ description: 'True once the order is delivered.' }),
    createdAt: instant('When the order was placed.'),
    shipDate: Type.Optional(instant('When the order was shipped.')),
    expiresAt: Type.Optional(instant('When the hold of a pending order ends.')),
    reference: Type.Optional(
      Type.String({ maxLength: 200, description: "The client's own words for the order." }),
    ),
  },
  { $id: 'Order', additionalProperties: false, description: 'An order of the store.' },
)
export type Order = Type.Static<typeof Order>

const ordersQuery = Type.Object({
  status: Type.Optional(
    Type.Unsafe<OrderStatus>({ ...OrderStatus, description: 'Only orders with this status.' }),
  ),
  petId: Type.Optional(int64({ description: 'Only orders for this animal.' })),
})
export type OrdersQuery = Type.Static<typeof ordersQuery>

/** Interface 1.0.0, section 4.4: named there, without a stability mark, its test panel disabled. */
export const listOrdersOperation = defineOperation({
  operationId: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  tag: 'store',
  summary: 'List orders',
  description: 'A page of orders in ascending order of their ids. Follow the `next` link for more.',
  scope: 'orders:read',
  lifecycle: { tryItPanel: false },
  query: ordersQuery,
  answers: 'page',
  item: Order,
  errors: [],
  examples: {
    query: { status: 'pending' },
    item: [
      {
        id: 1,
        petId: 1,
        quantity: 1,
        status: 'pending',
        complete: false,
        createdAt: '2026-12-01T09:30:00.000Z',
      },
    ],
  },
})
