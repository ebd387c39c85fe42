import { definePage } from '../shared/define-page.ts'
import { OverviewPage } from './overview-page.tsx'

export const overviewPage = definePage({
  path: '/overview',
  label: 'Overview',
  icon: 'chart',
  letter: 'v',
  scopes: ['pets:read', 'orders:read', 'inventory:read'],
  component: OverviewPage,
})
