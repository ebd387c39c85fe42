import { idIn, operationsOn } from '../../../contract/record-operations.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { Tag } from '../../../contract/tags.ts'
import { Delivery, deliveriesFilter, delivery, NewReplay } from './deliveries.ts'
import { accounting, IssuedWebhook, newAccounting, secret, webhookRecord } from './webhooks.ts'

const tag: Tag = {
  name: 'webhooks',
  displayName: 'Webhooks',
  description: 'Addresses to which events are sent, signed as Standard Webhooks 1.0 describes.',
}

const webhooks = operationsOn({
  ...webhookRecord.kind,
  tag,
  lifecycle: { stability: 'beta' },
  read: 'webhooks:manage',
  write: 'webhooks:manage',
})

const usesOfWebhook = [
  webhooks.link('updateWebhook', 'Change this webhook.'),
  webhooks.link('testWebhook', 'Send this webhook an event.'),
  webhooks.link('listDeliveries', 'What was sent to this webhook.'),
]

const shownOnce =
  'The secret is in this response alone, and a repetition with the same `Idempotency-Key` is refused.'

export const listWebhooksOperation = webhooks.list({
  description: 'Returns a page of webhooks in ascending order of ids, without their secrets.',
  examples: { name: 'none', summary: 'The webhooks after the tenth', response: [] },
})

export const createWebhookOperation = webhooks.create({
  idempotency: 'withheld',
  summary: 'Create a webhook',
  description: `Creates a webhook; the events after it are sent, at least once each and in no promised order. All addresses that the name in \`url\` stands for are checked now and at each attempt. A store has at most 50 webhooks. ${shownOnce}`,
  item: IssuedWebhook,
  errors: ['too_many_webhooks'],
  examples: {
    name: 'accounting',
    summary: 'A webhook for orders',
    body: newAccounting,
    response: { ...accounting, secret },
  },
  links: [webhooks.link('getWebhook', 'Get this webhook.'), ...usesOfWebhook],
})

export const getWebhookOperation = webhooks.get({
  exampleId: 1,
  description: 'Returns one webhook, without its secret.',
  examples: { name: 'accounting', summary: 'A webhook for orders', response: accounting },
  links: usesOfWebhook,
})

export const updateWebhookOperation = webhooks.update({
  exampleId: 2,
  description:
    'Changes the fields that are sent. A webhook that the service has disabled is enabled by `"status": "enabled"`. Another `url` takes every scope with which the key that made the webhook reads events.',
  examples: {
    name: 'paused',
    summary: 'A webhook is paused',
    body: { status: 'paused' },
    response: { ...accounting, id: 2, status: 'paused', missedAfter: 7 },
  },
})

export const deleteWebhookOperation = webhooks.delete({
  exampleId: 4,
  description: 'Deletes a webhook and its deliveries. Nothing more is sent to it.',
  examples: { name: 'deleted', summary: 'A webhook that is deleted' },
})

export const rotateWebhookSecretOperation = webhooks.act('rotate-secret')({
  operationId: 'rotateWebhookSecret',
  client: 'webhooks.rotateSecret',
  idempotency: 'withheld',
  exampleId: 3,
  summary: 'Rotate the secret of a webhook',
  description: `Replaces the secret. Deliveries carry signatures by both for a day; then, or with the next rotation, the replaced one ends. It takes every scope with which the key that made the webhook reads events. ${shownOnce}`,
  item: IssuedWebhook,
  examples: {
    name: 'rotated',
    summary: 'A new secret',
    response: {
      ...accounting,
      id: 3,
      previousSecretEndsAt: '2026-11-03T09:30:00.000Z',
      secret,
    },
  },
})

export const testWebhookOperation = webhooks.act('test')({
  exampleId: 1,
  description:
    'Records an event `webhook.tested`, which is sent to this webhook alone, whatever its types. Its delivery is the newest of the webhook.',
  returns: 'nothing',
  errors: ['webhook_not_enabled'],
  examples: { name: 'tested', summary: 'A webhook that is tested' },
})

export const listDeliveriesOperation = webhooks.list({
  operationId: 'listDeliveries',
  path: '/webhooks/{webhookId}/deliveries',
  client: 'webhooks.listDeliveries',
  pathParameters: [idIn('webhook', 1)],
  summary: 'List the deliveries of a webhook',
  description:
    'Returns a page of deliveries in ascending order of ids. They are kept for 30 days, up to a number that the operator sets, by default a million: beyond that the oldest that succeeded are deleted, then those that failed, then those that wait.',
  query: deliveriesFilter,
  item: Delivery,
  list: pageOf('Deliveries', Delivery, [delivery]),
  errors: ['not_found'],
  examples: {
    name: 'none',
    summary: 'No delivery failed',
    query: { status: 'failed', eventId: delivery.eventId },
    response: [],
  },
})

export const retryDeliveryOperation = webhooks.act('retry')({
  operationId: 'retryDelivery',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
  client: 'webhooks.retryDelivery',
  pathParameters: [idIn('webhook', 1), idIn('delivery', 1)],
  summary: 'Retry a delivery',
  description:
    'Sends an event again now, whatever the state of its delivery. It is a 410 once the event is deleted.',
  item: Delivery,
  errors: ['webhook_not_enabled', 'events_expired'],
  examples: {
    name: 'retried',
    summary: 'A delivery that is sent again',
    response: { ...delivery, status: 'pending', nextAttemptAt: delivery.createdAt },
  },
})

export const replayWebhookOperation = webhooks.act('replay')({
  exampleId: 1,
  summary: 'Replay events to a webhook',
  description:
    'Sends all events after a position in the log once more, also those that the webhook has received.',
  body: NewReplay,
  returns: 'nothing',
  errors: ['webhook_not_enabled'],
  examples: { name: 'replayed', summary: 'All events but the first', body: { after: 1 } },
})
