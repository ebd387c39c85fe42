import { exportOf } from '../../../contract/export-operation.ts'
import { member } from '../../../contract/member.ts'
import { Amount, Currency, priceOf } from '../../../contract/price.ts'
import { defineRecord } from '../../../contract/record.ts'
import { operationsOn } from '../../../contract/record-operations.ts'
import {
  assignedId,
  filterBy,
  idsFilter,
  instant,
  instantFilter,
  int32,
  int64,
  oneOf,
  text,
} from '../../../contract/schemas.ts'
import { storeTag } from '../../../contract/tags.ts'
import * as Type from '../../../contract/type.ts'
import { orderStatuses } from '../order-status.ts'
import { quantityMax } from '../stock.ts'

export const OrderStatus = oneOf(orderStatuses, {
  $id: 'OrderStatus',
  description:
    'The state of an order: `pending`, then `shipped`, then `delivered`; or `cancelled`, or `expired`.',
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
  unitPrice: { amount: '510.00', currency: 'EUR' },
}
const pending = { quantity: 1, status: 'pending', complete: false }
const ofStickInsect = {
  id: 20,
  petId: 100,
  ...pending,
  createdAt: '2026-11-01T17:27:16.992Z',
  reference: 'Web shop',
  unitPrice: { amount: '6.00', currency: 'EUR' },
}
const ofBudgerigar = {
  id: 1,
  petId: 2,
  ...pending,
  createdAt: '2026-10-05T10:23:45.024Z',
  reference: 'Invoice 26-95248',
  unitPrice: { amount: '31.00', currency: 'EUR' },
}
const ofFrog = {
  id: 3,
  petId: 13,
  ...pending,
  status: 'shipped',
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
  unitPrice: { amount: '58.00', currency: 'EUR' },
}

/** In code points. */
const referenceMax = 200

const quantityRange = { minimum: 1, maximum: quantityMax, examples: [1] }
const quantity = int32({ ...quantityRange, description: 'How many to order; 1 when absent.' })

export const order = defineRecord({
  noun: 'order',
  description: 'An order of the store.',
  sent: ['petId', 'quantity', 'reference'],
  members: {
    id: assignedId(ofBudgerigar.id),
    petId: int64({ description: 'The identifier of the pet.', examples: [1] }),
    quantity: member(int32({ ...quantityRange, description: 'How many are ordered.' }), {
      new: Type.Optional(Type.Unsafe<number>({ ...quantity, absentMeans: 1 })),
    }),
    status: OrderStatus,
    complete: member(
      Type.Boolean({
        description: 'True once the order is delivered.',
        examples: [ofBudgerigar.complete],
      }),
      { column: null },
    ),
    createdAt: instant('When the order was placed.', ofBudgerigar.createdAt),
    shipDate: Type.Optional(instant('When the order was shipped.', ofFrog.shipDate)),
    expiresAt: Type.Optional(
      instant(
        'When the order expires if it is still pending; absent if holds do not expire.',
        '2026-10-07T10:23:45.024Z',
      ),
    ),
    reference: Type.Optional(
      text({
        max: referenceMax,
        description: "The client's own reference for the order.",
        examples: [ofSunny.reference],
      }),
    ),
    unitPrice: Type.Optional(
      priceOf('What each cost when the order was placed; absent where the pet had no price.'),
    ),
  },
  examples: {
    record: ofBudgerigar,
    list: [ofBudgerigar, ofStickInsect],
    new: ofSunny,
    changes: [],
  },
})
export type NewOrder = Type.Static<typeof order.New>
export type Order = Type.Static<typeof order.Item>

/** The columns of an order in a spreadsheet. */
const { unitPrice: _, ...columns } = order.Item.properties
export const exportedOrder = {
  ...columns,
  unitPrice: Type.Optional(member(Amount, { column: 'unit_price_amount' })),
  currency: Type.Optional(member(Currency, { column: 'unit_price_currency' })),
}

const ordersFilter = Type.Partial({
  status: filterBy(OrderStatus, 'Only orders with this status.'),
  petId: int64({ description: 'Only orders of this pet.' }),
  id: idsFilter('orders'),
  createdAfter: instantFilter('Only orders that were placed at this instant or later.'),
  createdBefore: instantFilter('Only orders that were placed before this instant.'),
  reference: text({
    max: referenceMax,
    description: 'Only orders with this reference, exactly as it was sent.',
    examples: [ofSunny.reference],
  }),
})
export type OrdersFilter = Type.Static<typeof ordersFilter>

const orders = operationsOn({
  ...order.kind,
  path: '/store/orders',
  tag: storeTag,
  lifecycle: { stability: 'stable' },
  read: 'orders:read',
  write: 'orders:write',
})

const getLink = orders.link('getOrder', 'Get this order.')
const shipLink = orders.link('shipOrder', 'Ship this order.')
const deliverLink = orders.link('deliverOrder', 'Deliver this order.')
const cancelLink = orders.link('cancelOrder', 'Cancel this order.')
const eventsLink = orders.link('listEvents', 'List the events of this order.')

/** Interface 1.0.0, section 4.4: named there, without a stability mark, its test panel disabled. */
export const listOrdersOperation = orders.list({
  summary: 'List orders',
  lifecycle: { tryItPanel: false },
  query: ordersFilter,
  examples: {
    name: 'pending',
    summary: 'A pending order of one pet, found by its reference',
    query: {
      status: 'pending',
      petId: 100,
      id: [20, 21],
      reference: ofStickInsect.reference,
      createdAfter: '2026-01-01T00:00:00.000Z',
      createdBefore: '2027-01-01T00:00:00.000Z',
    },
    response: [ofStickInsect],
  },
})

export const exportOrdersOperation = exportOf(listOrdersOperation, {
  operationId: 'exportOrders',
  summary: 'Export all orders',
  noun: 'orders',
  columns: Object.keys(exportedOrder),
  records: [{ ...ofStickInsect, unitPrice: '6.00', currency: 'EUR' }],
})

export const createOrderOperation = orders.create({
  summary: 'Place an order',
  description:
    'Places an order for a pet that is `available`, and holds the quantity ordered. A pet is never promised twice.',
  errors: ['not_found', 'pet_not_available', 'insufficient_stock'],
  examples: {
    name: 'webShop',
    summary: 'An order of the web shop',
    body: ofSunny,
    response: placed,
  },
  links: [getLink, shipLink, cancelLink, eventsLink],
})

export const getOrderOperation = orders.get({
  exampleId: 1,
  description: 'Returns one order, whatever its status. Orders are never deleted.',
  examples: { name: 'invoice', summary: 'A pending order', response: ofBudgerigar },
  links: [shipLink, deliverLink, cancelLink, eventsLink],
})

export const shipOrderOperation = orders.act('ship')({
  exampleId: 3,
  description: 'Moves an order from `pending` to `shipped`. Its stock stays held.',
  errors: ['invalid_transition'],
  examples: { name: 'frog', summary: 'The order of a frog, shipped', response: ofFrog },
  links: [getLink, deliverLink, eventsLink],
})

export const deliverOrderOperation = orders.act('deliver')({
  exampleId: 4,
  description: 'Moves an order from `shipped` to `delivered`. Its stock leaves the inventory.',
  errors: ['invalid_transition'],
  examples: { name: 'rabbit', summary: 'The order of a rabbit, delivered', response: ofRabbit },
  links: [getLink, eventsLink],
})

export const cancelOrderOperation = orders.delete({
  operationId: 'cancelOrder',
  client: 'orders.cancel',
  exampleId: 9,
  summary: 'Cancel an order',
  description:
    'Moves an order from `pending` to `cancelled` and releases its stock. The record is kept.',
  errors: ['order_not_cancellable'],
  examples: { name: 'tetras', summary: 'An order of five neon tetras' },
})
