import { defineOperation, type OperationLink, returnedId } from '../../../contract/operation.ts'
import { instant, int32, int64, pageOf, text } from '../../../contract/schemas.ts'
import { storeTag } from '../../../contract/tags.ts'
import * as Type from '../../../contract/type.ts'
import { orderStatuses } from '../order-status.ts'
import { quantityMax } from '../stock.ts'

export const OrderStatus = Type.Unsafe<(typeof orderStatuses)[number]>({
  $id: 'OrderStatus',
  type: 'string',
  enum: orderStatuses,
  description:
    'The state of an order: `pending`, then `shipped`, then `delivered`; or `cancelled`, or `expired`.',
  allowed: 'pending, shipped, delivered, cancelled or expired',
  examples: ['pending'],
})
export type OrderStatus = Type.Static<typeof OrderStatus>

const ofSunny = { petId: 1, quantity: 1, reference: 'Web shop' }
const placed = {
  id: 21,
  ...ofSunny,
  status: 'pending',
  complete: false,
  createdAt: '2026-11-02T09:30:00.000Z',
}
const ofStickInsect = {
  id: 20,
  petId: 100,
  quantity: 1,
  status: 'pending',
  complete: false,
  createdAt: '2026-11-01T17:27:16.992Z',
  reference: 'Web shop',
}
const ofBudgerigar = {
  id: 1,
  petId: 2,
  quantity: 1,
  status: 'pending',
  complete: false,
  createdAt: '2026-10-05T10:23:45.024Z',
  reference: 'Invoice 26-95248',
}
const ofFrog = {
  id: 3,
  petId: 13,
  quantity: 1,
  status: 'shipped',
  complete: false,
  createdAt: '2026-10-08T14:20:43.008Z',
  shipDate: '2026-11-02T09:30:00.000Z',
}
const ofRabbit = {
  id: 4,
  petId: 18,
  quantity: 1,
  status: 'delivered',
  complete: true,
  createdAt: '2026-10-09T19:53:11.040Z',
  shipDate: '2026-10-10T15:47:27.411Z',
}

/** In code points. */
const referenceMax = 200

const petId = int64({ description: 'The identifier of the pet.', examples: [1] })
const quantityRange = { minimum: 1, maximum: quantityMax, examples: [1] }
const reference = Type.Optional(
  text({
    max: referenceMax,
    description: "The client's own reference for the order.",
    examples: [ofSunny.reference],
  }),
)

const NewOrder = Type.Object(
  {
    petId,
    quantity: Type.Optional(
      Type.Unsafe<number>({
        ...int32({ ...quantityRange, description: 'How many to order; 1 when absent.' }),
        absentMeans: 1,
      }),
    ),
    reference,
  },
  {
    $id: 'NewOrder',
    description: 'An order to place. Unknown members are ignored.',
    allowed: 'a JSON object with petId',
    examples: [ofSunny],
  },
)
export type NewOrder = Type.Static<typeof NewOrder>

export const Order = Type.Object(
  {
    id: int64({
      description: 'Unique identifier assigned by the service.',
      minimum: 1,
      examples: [ofBudgerigar.id],
    }),
    petId,
    quantity: int32({ ...quantityRange, description: 'How many are ordered.' }),
    status: OrderStatus,
    complete: Type.Boolean({
      description: 'True once the order is delivered.',
      examples: [ofBudgerigar.complete],
    }),
    createdAt: instant('When the order was placed.', ofBudgerigar.createdAt),
    shipDate: Type.Optional(instant('When the order was shipped.', ofFrog.shipDate)),
    expiresAt: Type.Optional(
      instant(
        'When the order expires if it is still pending; absent if holds do not expire.',
        '2026-10-07T10:23:45.024Z',
      ),
    ),
    reference,
  },
  {
    $id: 'Order',
    description: 'An order of the store.',
    examples: [ofBudgerigar],
  },
)
export type Order = Type.Static<typeof Order>

const Orders = pageOf(Order, {
  $id: 'Orders',
  description: 'A page of orders.',
  examples: [[ofBudgerigar, ofStickInsect]],
})

const ordersFilter = Type.Object({
  status: Type.Optional(
    Type.Unsafe<OrderStatus>({ ...OrderStatus, description: 'Only orders with this status.' }),
  ),
  petId: Type.Optional(int64({ description: 'Only orders of this pet.' })),
  id: Type.Optional(
    Type.Array(int64({}), {
      maxItems: 100,
      description: 'Only orders with one of these ids; repeat it for several.',
      allowed: 'given at most 100 times',
    }),
  ),
  reference: Type.Optional(
    text({
      max: referenceMax,
      description: 'Only orders with this reference, exactly as it was sent.',
      examples: [ofSunny.reference],
    }),
  ),
})
export type OrdersFilter = Type.Static<typeof ordersFilter>

const orderId = (example: number) => ({
  name: 'orderId',
  record: 'order',
  description: 'The identifier of the order.',
  example,
})

const link = (operationId: string, description: string): OperationLink => ({
  operationId,
  description,
  parameters: { orderId: returnedId },
})
const getLink = link('getOrder', 'Get this order.')
const shipLink = link('shipOrder', 'Ship this order.')
const deliverLink = link('deliverOrder', 'Deliver this order.')
const cancelLink = link('cancelOrder', 'Cancel this order.')
const eventsLink = link('listEvents', 'List the events of this order.')

/** Interface 1.0.0, section 4.4: named there, without a stability mark, its test panel disabled. */
export const listOrdersOperation = defineOperation({
  operationId: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  client: 'orders.list',
  tag: storeTag,
  summary: 'List orders',
  description: 'Returns a page of orders in ascending order of ids.',
  scope: 'orders:read',
  lifecycle: { tryItPanel: false },
  query: ordersFilter,
  returns: 'page',
  item: Order,
  list: Orders,
  errors: [],
  examples: {
    name: 'pending',
    summary: 'A pending order of one pet, found by its reference',
    query: { status: 'pending', petId: 100, id: [20, 21], reference: ofStickInsect.reference },
    response: [ofStickInsect],
  },
})

export const createOrderOperation = defineOperation({
  operationId: 'createOrder',
  method: 'POST',
  path: '/store/orders',
  client: 'orders.create',
  idempotency: 'replayed',
  tag: storeTag,
  summary: 'Place an order',
  description:
    'Places an order for a pet that is `available`, and holds the quantity ordered. A pet is never promised twice.',
  scope: 'orders:write',
  lifecycle: { stability: 'stable' },
  body: NewOrder,
  returns: 'created',
  item: Order,
  errors: ['not_found', 'pet_not_available', 'insufficient_stock'],
  examples: {
    name: 'webShop',
    summary: 'An order of the web shop',
    body: ofSunny,
    response: placed,
  },
  links: [getLink, shipLink, cancelLink, eventsLink],
})

export const getOrderOperation = defineOperation({
  operationId: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
  client: 'orders.get',
  pathParameters: [orderId(1)],
  tag: storeTag,
  summary: 'Get an order',
  description: 'Returns one order, whatever its status. Orders are never deleted.',
  scope: 'orders:read',
  lifecycle: { stability: 'stable' },
  returns: 'record',
  item: Order,
  errors: ['not_found'],
  examples: { name: 'invoice', summary: 'A pending order', response: ofBudgerigar },
  links: [shipLink, deliverLink, cancelLink, eventsLink],
})

export const shipOrderOperation = defineOperation({
  operationId: 'shipOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/ship',
  client: 'orders.ship',
  idempotency: 'replayed',
  pathParameters: [orderId(3)],
  tag: storeTag,
  summary: 'Ship an order',
  description: 'Moves an order from `pending` to `shipped`. Its stock stays held.',
  scope: 'orders:write',
  lifecycle: { stability: 'stable' },
  returns: 'record',
  item: Order,
  errors: ['not_found', 'invalid_transition', 'body_too_large'],
  examples: { name: 'frog', summary: 'The order of a frog, shipped', response: ofFrog },
  links: [getLink, deliverLink, eventsLink],
})

export const deliverOrderOperation = defineOperation({
  operationId: 'deliverOrder',
  method: 'POST',
  path: '/store/orders/{orderId}/deliver',
  client: 'orders.deliver',
  idempotency: 'replayed',
  pathParameters: [orderId(4)],
  tag: storeTag,
  summary: 'Deliver an order',
  description: 'Moves an order from `shipped` to `delivered`. Its stock leaves the inventory.',
  scope: 'orders:write',
  lifecycle: { stability: 'stable' },
  returns: 'record',
  item: Order,
  errors: ['not_found', 'invalid_transition', 'body_too_large'],
  examples: { name: 'rabbit', summary: 'The order of a rabbit, delivered', response: ofRabbit },
  links: [getLink, eventsLink],
})

export const cancelOrderOperation = defineOperation({
  operationId: 'cancelOrder',
  method: 'DELETE',
  path: '/store/orders/{orderId}',
  client: 'orders.cancel',
  pathParameters: [orderId(9)],
  tag: storeTag,
  summary: 'Cancel an order',
  description:
    'Moves an order from `pending` to `cancelled` and releases its stock. The record is kept.',
  scope: 'orders:write',
  lifecycle: { stability: 'stable' },
  returns: 'nothing',
  item: Order,
  errors: ['not_found', 'order_not_cancellable', 'body_too_large'],
  examples: { name: 'tetras', summary: 'An order of five neon tetras' },
})
