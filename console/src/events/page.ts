import { isIdText, searchReader } from '../base/search-params.ts'
import { eventLabels } from '../history/event-labels.ts'
import { definePage } from '../shared/define-page.ts'
import type { EventSearch } from './event-list.ts'
import { EventsPage } from './events-page.tsx'

export const eventsPage = definePage({
  path: '/events',
  label: 'Events',
  icon: 'bolt',
  letter: 'e',
  scopes: ['pets:read', 'orders:read', 'inventory:read', 'keys:manage', 'webhooks:manage'],
  readSearch: searchReader<EventSearch>({
    type: (value) => String(value) in eventLabels,
    pet: isIdText,
    order: isIdText,
  }),
  component: EventsPage,
})
