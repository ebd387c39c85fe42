import type { EventTypes } from '../../contract/event-type.ts'
import { Webhook } from './contract/webhooks.ts'

const webhook = { record: 'webhook', scope: 'webhooks:manage', data: Webhook } as const

export const eventTypes = {
  'webhook.created': webhook,
  'webhook.updated': webhook,
  'webhook.deleted': webhook,
  'webhook.rotated': webhook,
  'webhook.disabled': webhook,
  'webhook.tested': webhook,
} satisfies EventTypes
