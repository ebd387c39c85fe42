import type { EventTypes } from '../../contract/event-type.ts'
import { InventoryItem } from './contract/inventory.ts'
import { order as declared } from './contract/orders.ts'

const order = { record: 'order', scope: 'orders:read', data: declared.Item } as const

const shipDate = '2026-11-02T09:30:00.000Z'

export const eventTypes = {
  'order.placed': { ...order, summary: 'An order was placed' },
  'order.shipped': {
    ...order,
    summary: 'An order was shipped',
    change: {
      after: { status: 'shipped', shipDate },
      before: { status: 'pending', shipDate: null },
    },
  },
  'order.delivered': {
    ...order,
    summary: 'An order was delivered',
    change: {
      after: { status: 'delivered', complete: true, shipDate },
      before: { status: 'shipped', complete: false },
    },
  },
  'order.cancelled': {
    ...order,
    summary: 'An order was cancelled',
    change: { after: { status: 'cancelled' }, before: { status: 'pending' } },
  },
  'order.expired': {
    ...order,
    summary: 'An order expired before it was shipped',
    change: { after: { status: 'expired' }, before: { status: 'pending' } },
  },
  // Found by `petId`, as the events of the pet. It tells a changed quantity: a new pet is one, or none where it is sold, and
  // the status of an item is that of its pet.
  'inventory.updated': {
    record: 'pet',
    scope: 'inventory:read',
    data: InventoryItem,
    summary: 'The stock of a pet changed',
    change: { after: { quantity: 110 }, before: { quantity: 111 } },
  },
} satisfies EventTypes
