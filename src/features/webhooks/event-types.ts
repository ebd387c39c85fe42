import type { EventTypes } from '../../contract/event-type.ts'
import { webhookRecord } from './contract/webhooks.ts'

const webhook = { record: 'webhook', scope: 'webhooks:manage', data: webhookRecord.Item } as const

export const eventTypes = {
  'webhook.created': { ...webhook, summary: 'A webhook was created' },
  'webhook.updated': {
    ...webhook,
    summary: 'A webhook was changed by a request',
    change: { after: { status: 'paused' }, before: { status: 'enabled' } },
  },
  'webhook.deleted': { ...webhook, summary: 'A webhook was deleted' },
  'webhook.rotated': {
    ...webhook,
    summary: 'A webhook has another secret',
    change: {
      after: { previousSecretEndsAt: '2026-11-03T09:30:00.000Z' },
      before: { previousSecretEndsAt: null },
    },
  },
  'webhook.disabled': {
    ...webhook,
    summary: 'A webhook was disabled by the service',
    change: {
      after: { status: 'disabled', disabledReason: 'gone' },
      before: { status: 'enabled', disabledReason: null },
    },
  },
  'webhook.tested': { ...webhook, summary: 'A test of a webhook was asked for' },
} satisfies EventTypes
