import type { EventTypes } from '../../contract/event-type.ts'
import { InventoryItem } from './contract/inventory.ts'
import { Order } from './contract/orders.ts'

const order = { record: 'order', scope: 'orders:read', data: Order } as const

export const eventTypes = {
  'order.placed': order,
  'order.shipped': order,
  'order.delivered': order,
  'order.cancelled': order,
  'order.expired': order,
  // Found by `petId`, as the events of the pet. It tells a changed quantity: a new pet is one, or none where it is sold, and
  // the status of an item is that of its pet.
  'inventory.updated': { record: 'pet', scope: 'inventory:read', data: InventoryItem },
} satisfies EventTypes
