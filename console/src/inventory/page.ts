import { definePage, lazyPage } from '../shared/define-page.ts'
import { readStockSearch } from './stock-search.ts'

export const inventoryPage = definePage({
  path: '/inventory',
  label: 'Inventory',
  icon: 'box',
  letter: 'i',
  scopes: ['inventory:read'],
  readSearch: readStockSearch,
  component: lazyPage(() => import('./inventory-page.tsx')),
})
