import { definePage } from '../shared/define-page.ts'
import { SuppliersPage } from './suppliers-page.tsx'
export const suppliersPage = definePage({
  path: '/suppliers',
  label: 'Suppliers',
  icon: 'box',
  letter: 's',
  scopes: ['suppliers:read'],
  component: SuppliersPage,
})
