import { definePage, lazyPage } from '../shared/define-page.ts'
import { readOrderSearch } from './order-search.ts'

export const ordersPage = definePage({
  path: '/orders',
  label: 'Orders',
  icon: 'cart',
  letter: 'o',
  scopes: ['orders:read'],
  readSearch: readOrderSearch,
  component: lazyPage(() => import('./orders-page.tsx')),
})
