import type { OrderStatus } from '../../../client/src/generated/records.ts'
import { isOrderStatus } from '../../../src/features/orders/order-status.ts'
import { parseId } from '../shared/int64-text.ts'

/** What the address of the orders page says: the filters, the order, the place, and the pet that is to be ordered. */
export type OrdersSearch = {
  status?: OrderStatus
  pet?: string
  reference?: string
  sort?: 'id'
  at?: string
  /** Opens the form for an order of this pet. */
  place?: string
}

/** Reads the address; what makes no sense there is left out. */
export function readOrdersSearch(search: Record<string, unknown>): OrdersSearch {
  const { status, pet, reference, sort, at, place } = search
  return {
    ...(isOrderStatus(status) && { status: status as OrderStatus }),
    ...(isId(pet) && { pet }),
    ...(typeof reference === 'string' && reference !== '' && { reference }),
    ...(sort === 'id' && { sort }),
    ...(isId(at) && { at }),
    ...(isId(place) && { place }),
  }
}

function isId(text: unknown): text is string {
  return typeof text === 'string' && parseId(text) !== undefined
}
