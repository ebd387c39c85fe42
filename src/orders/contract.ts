import Type from 'typebox'
import { defineOperation } from '../http/operation.ts'
import { int64 } from '../http/schema.ts'
import { text } from '../http/text.ts'
import { quantityMax } from '../inventory/stock.ts'

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

const petId = int64({ description: 'The animal that is ordered.' })
const quantity = Type.Integer({
  minimum: 1,
  maximum: quantityMax,
  description: 'How many are ordered.',
  allowed: `an integer from 1 to ${quantityMax}`,
})
const reference = Type.Optional(
  text({ max: 200, description: "The client's own words for the order." }),
)

const NewOrder = Type.Object(
  {
    petId,
    quantity: Type.Optional(Type.Integer({ ...quantity, default: 1 })),
    reference,
  },
  {
    $id: 'NewOrder',
    description: 'An order to place. Unknown members are ignored.',
    allowed: 'a JSON object with petId',
  },
)
export type NewOrder = Type.Static<typeof NewOrder>

const instant = (description: string) => Type.String({ format: 'date-time', description })

export const Order = Type.Object(
  {
    id: int64({ description: 'Unique identifier assigned by the service.', minimum: 1 }),
    petId,
    quantity,
    status: OrderStatus,
    complete: Type.Boolean({ description: 'True once the order is delivered.' }),
    createdAt: instant('When the order was placed.'),
    shipDate: Type.Optional(instant('When the order was shipped.')),
    expiresAt: Type.Optional(instant('When the hold of a pending order ends.')),
    reference,
  },
  { $id: 'Order', additionalProperties: false, description: 'An order of the store.' },
)
export type Order = Type.Static<typeof Order>

const ordersFilter = Type.Object({
  status: Type.Optional(
    Type.Unsafe<OrderStatus>({ ...OrderStatus, description: 'Only orders with this status.' }),
  ),
  petId: Type.Optional(int64({ description: 'Only orders for this animal.' })),
})
export type OrdersFilter = Type.Static<typeof ordersFilter>

const example = {
  id: 1,
  petId: 1,
  quantity: 1,
  status: 'pending',
  complete: false,
  createdAt: '2026-12-01T09:30:00.000Z',
}
const shipped = { ...example, status: 'shipped', shipDate: '2026-12-02T08:00:00.000Z' }
const delivered = { ...shipped, status: 'delivered', complete: true }

const orderId = { name: 'orderId', record: 'order', description: 'The identifier of the order.' }

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
  query: ordersFilter,
  answers: 'page',
  item: Order,
  errors: [],
  examples: { query: { status: 'pending' }, item: [example] },
})

export const createOrderOperation = defineOperation({
  operationId: 'createOrder',
  method: 'POST',
  path: '/store/orders',
  tag: 'store',
  summary: 'Place an order',
  description:
    'Holds so many of an animal that is `available` for an order. An animal is never promised twice.',
  scope: 'orders:write',
  lifecycle: { stability: 'beta' },
  body: NewOrder,
  answers: 'created',
  item: Order,
  errors: ['not_found', 'pet_not_available', 'insufficient_stock'],
  examples: { body: { petId: 1, quantity: 1 }, item: example },
})

export const getOrderOperation = defineOperation({
  operationId: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
  pathParameter: orderId,
  tag: 'store',
  summary: 'Get an order',
  description: 'One order, whatever its status: orders are kept for ever.',
  scope: 'orders:read',
  lifecycle: { stability: 'beta' },
  answers: 'record',
  item: Order,
  errors: ['not_found'],
  examples: { item: example },
})

export const shipOrderOperation = defineOperation({
  operationId: 'shipOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/ship',
  pathParameter: orderId,
  tag: 'store',
  summary: 'Ship an order',
  description: 'From `pending` to `shipped`. What it holds stays held.',
  scope: 'orders:write',
  lifecycle: { stability: 'beta' },
  answers: 'record',
  item: Order,
  errors: ['not_found', 'invalid_transition'],
  examples: { item: shipped },
})

export const deliverOrderOperation = defineOperation({
  operationId: 'deliverOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/deliver',
  pathParameter: orderId,
  tag: 'store',
  summary: 'Deliver an order',
  description: 'From `shipped` to `delivered`. What it holds leaves the inventory.',
  scope: 'orders:write',
  lifecycle: { stability: 'beta' },
  answers: 'record',
  item: Order,
  errors: ['not_found', 'invalid_transition'],
  examples: { item: delivered },
})

export const cancelOrderOperation = defineOperation({
  operationId: 'cancelOrder',
  method: 'DELETE',
  path: '/store/orders/{orderId}',
  pathParameter: orderId,
  tag: 'store',
  summary: 'Cancel an order',
  description: 'From `pending` to `cancelled`: what it holds is free again. The record stays.',
  scope: 'orders:write',
  lifecycle: { stability: 'beta' },
  answers: 'nothing',
  item: Order,
  errors: ['not_found', 'order_not_cancellable'],
  examples: { item: example },
})
