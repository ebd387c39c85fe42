import { definePage, lazyPage } from '../shared/define-page.ts'
import { readWebhookSearch } from './webhook-search.ts'

export const webhooksPage = definePage({
  path: '/webhooks',
  label: 'Webhooks',
  icon: 'send',
  letter: 'w',
  scopes: ['webhooks:manage'],
  readSearch: readWebhookSearch,
  component: lazyPage(() => import('./webhooks-page.tsx')),
})
