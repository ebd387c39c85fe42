import { type EventTypes, usualEvents } from '../../contract/event-type.ts'
import { webhookRecord } from './contract/webhooks.ts'

const scope = 'webhooks:manage'
const stability = 'beta'
const webhook = { record: 'webhook', scope, data: webhookRecord.Item, stability } as const

const paused = { after: { status: 'paused' }, before: { status: 'enabled' } }

export const eventTypes = {
  ...usualEvents(webhookRecord, scope, paused, stability),
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
