import { isPetStatus } from '../../../src/contract/pet-status.ts'
import { isIdText, searchReader } from '../base/search-params.ts'
import { definePage } from '../shared/define-page.ts'
import { InventoryPage } from './inventory-page.tsx'
import type { StockSearch } from './stock-list.ts'

export const inventoryPage = definePage({
  path: '/inventory',
  label: 'Inventory',
  icon: 'box',
  letter: 'i',
  scopes: ['inventory:read'],
  readSearch: searchReader<StockSearch>({ status: isPetStatus, at: isIdText }),
  component: InventoryPage,
})
