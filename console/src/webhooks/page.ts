import { definePage } from '../shared/define-page.ts'
import { readWebhookSearch } from './webhook-search.ts'
import { WebhooksPage } from './webhooks-page.tsx'

export const webhooksPage = definePage({
  path: '/webhooks',
  label: 'Webhooks',
  icon: 'send',
  letter: 'w',
  scopes: ['webhooks:manage'],
  readSearch: readWebhookSearch,
  component: WebhooksPage,
})
