import { isOrderStatus } from '../../../src/features/sales/order-status.ts'
import { isDay } from '../base/days.ts'
import { isIdText, isText, searchReader } from '../base/search-params.ts'
import { definePage } from '../shared/define-page.ts'
import type { OrderSearch } from './order-list.ts'
import { OrdersPage } from './orders-page.tsx'

export const ordersPage = definePage({
  path: '/orders',
  label: 'Orders',
  icon: 'cart',
  letter: 'o',
  scopes: ['orders:read'],
  readSearch: searchReader<OrderSearch>({
    status: isOrderStatus,
    pet: isIdText,
    reference: isText,
    from: isDay,
    to: isDay,
    sort: (value) => value === 'id',
    at: isIdText,
    orderPet: isIdText,
  }),
  component: OrdersPage,
})
