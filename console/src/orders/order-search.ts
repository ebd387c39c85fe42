import type { OrderStatus } from '../../../client/src/generated/records.ts'
import { isOrderStatus } from '../../../src/features/sales/order-status.ts'
import { isIdText, isText } from '../base/search-params.ts'

/** What the address of the orders page says: the filters, the order, the place, and the pet that is to be ordered. */
export type OrderSearch = {
  status?: OrderStatus
  pet?: string
  reference?: string
  sort?: 'id'
  at?: string
  /** Opens the form for an order of this pet. */
  place?: string
}

/** Reads the address; what makes no sense there is left out. */
export function readOrderSearch(address: Record<string, unknown>): OrderSearch {
  const { status, pet, reference, sort, at, place } = address
  return {
    ...(isOrderStatus(status) && { status: status as OrderStatus }),
    ...(isIdText(pet) && { pet }),
    ...(isText(reference) && { reference }),
    ...(sort === 'id' && { sort }),
    ...(isIdText(at) && { at }),
    ...(isIdText(place) && { place }),
  }
}
