import type { OrderStatus } from '../../../client/src/generated/records.ts'
import { isOrderStatus } from '../../../src/features/sales/order-status.ts'
import { isIdText, isText, searchReader } from '../base/search-params.ts'

/** What the address of the orders page says: the filters, the sort order, the id that the list begins at, and the pet to order. */
export type OrderSearch = {
  status?: OrderStatus
  pet?: string
  reference?: string
  sort?: 'id'
  at?: string
  /** Opens the form for an order of this pet. */
  orderPet?: string
}

export const readOrderSearch = searchReader<OrderSearch>({
  status: isOrderStatus,
  pet: isIdText,
  reference: isText,
  sort: (value) => value === 'id',
  at: isIdText,
  orderPet: isIdText,
})
