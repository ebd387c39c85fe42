import { definePage, lazyPage } from '../shared/define-page.ts'

export const overviewPage = definePage({
  path: '/overview',
  label: 'Overview',
  icon: 'chart',
  letter: 'v',
  scopes: ['pets:read', 'orders:read', 'inventory:read'],
  component: lazyPage(() => import('./overview-page.tsx')),
})
