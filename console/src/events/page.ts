import { definePage, lazyPage } from '../shared/define-page.ts'
import { readEventSearch } from './event-search.ts'

export const eventsPage = definePage({
  path: '/events',
  label: 'Events',
  icon: 'bolt',
  letter: 'e',
  scopes: ['pets:read', 'orders:read', 'inventory:read', 'keys:manage', 'webhooks:manage'],
  readSearch: readEventSearch,
  component: lazyPage(() => import('./events-page.tsx')),
})
