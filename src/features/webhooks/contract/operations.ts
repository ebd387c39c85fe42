import { defineOperation, type OperationLink, returnedId } from '../../../contract/operation.ts'
import type { Tag } from '../../../contract/tags.ts'
import { Deliveries, Delivery, deliveriesFilter, delivery, NewReplay } from './deliveries.ts'
import {
  accounting,
  IssuedWebhook,
  NewWebhook,
  newAccounting,
  secret,
  Webhook,
  WebhookChange,
  Webhooks,
} from './webhooks.ts'

const tag: Tag = {
  name: 'webhooks',
  displayName: 'Webhooks',
  description: 'Addresses to which events are sent, signed as Standard Webhooks 1.0 describes.',
}
const managed = { tag, scope: 'webhooks:manage', lifecycle: { stability: 'beta' } } as const

const webhookId = (example: number) =>
  ({
    name: 'webhookId',
    record: 'webhook',
    description: 'The identifier of the webhook.',
    example,
  }) as const
const deliveryId = {
  name: 'deliveryId',
  record: 'delivery',
  description: 'The identifier of the delivery.',
  example: delivery.id,
} as const

const link = (operationId: string, description: string): OperationLink => ({
  operationId,
  description,
  parameters: { webhookId: returnedId },
})
const usesOfWebhook = [
  link('updateWebhook', 'Change this webhook.'),
  link('testWebhook', 'Send this webhook an event.'),
  link('listDeliveries', 'What was sent to this webhook.'),
]

const shownOnce =
  'The secret is in this response alone, and a repetition with the same `Idempotency-Key` is refused.'

export const listWebhooksOperation = defineOperation({
  ...managed,
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  client: 'webhooks.list',
  summary: 'List all webhooks',
  description: 'Returns a page of webhooks in ascending order of ids, without their secrets.',
  returns: 'page',
  item: Webhook,
  list: Webhooks,
  errors: [],
  examples: { name: 'none', summary: 'The webhooks after the tenth', response: [] },
})

export const createWebhookOperation = defineOperation({
  ...managed,
  operationId: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  client: 'webhooks.create',
  idempotency: 'withheld',
  summary: 'Create a webhook',
  description: `Creates a webhook; the events after it are sent, at least once each and in no promised order. All addresses that the name in \`url\` stands for are checked now and at each attempt. A store has at most 50 webhooks. ${shownOnce}`,
  body: NewWebhook,
  returns: 'created',
  item: IssuedWebhook,
  errors: ['too_many_webhooks'],
  examples: {
    name: 'accounting',
    summary: 'A webhook for orders',
    body: newAccounting,
    response: { ...accounting, secret },
  },
  links: [link('getWebhook', 'Get this webhook.'), ...usesOfWebhook],
})

export const getWebhookOperation = defineOperation({
  ...managed,
  operationId: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  client: 'webhooks.get',
  pathParameters: [webhookId(1)],
  summary: 'Get a webhook',
  description: 'Returns one webhook, without its secret.',
  returns: 'record',
  item: Webhook,
  errors: ['not_found'],
  examples: { name: 'accounting', summary: 'A webhook for orders', response: accounting },
  links: usesOfWebhook,
})

export const updateWebhookOperation = defineOperation({
  ...managed,
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
  client: 'webhooks.update',
  pathParameters: [webhookId(2)],
  summary: 'Update a webhook',
  description:
    'Changes the fields that are sent. A webhook that the service has disabled is enabled by `"status": "enabled"`, and what has happened since is sent. Another `url` takes every scope with which the key that made the webhook reads events.',
  body: WebhookChange,
  returns: 'record',
  item: Webhook,
  errors: ['not_found'],
  examples: {
    name: 'paused',
    summary: 'A pause',
    body: { status: 'paused' },
    response: { ...accounting, id: 2, status: 'paused' },
  },
})

export const deleteWebhookOperation = defineOperation({
  ...managed,
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  client: 'webhooks.delete',
  pathParameters: [webhookId(4)],
  summary: 'Delete a webhook',
  description: 'Deletes a webhook and its deliveries. Nothing more is sent to it.',
  returns: 'nothing',
  item: Webhook,
  errors: ['not_found', 'body_too_large'],
  examples: { name: 'deleted', summary: 'A webhook that is deleted' },
})

export const rotateWebhookSecretOperation = defineOperation({
  ...managed,
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate-secret',
  client: 'webhooks.rotateSecret',
  idempotency: 'withheld',
  pathParameters: [webhookId(3)],
  summary: 'Rotate the secret of a webhook',
  description: `Replaces the secret. Deliveries carry signatures by both for a day; then, or with the next rotation, the replaced one ends. It takes every scope with which the key that made the webhook reads events. ${shownOnce}`,
  returns: 'record',
  item: IssuedWebhook,
  errors: ['not_found', 'body_too_large'],
  examples: {
    name: 'rotated',
    summary: 'A new secret',
    response: {
      ...{ ...accounting, id: 3, previousSecretEndsAt: '2026-11-03T09:30:00.000Z' },
      secret,
    },
  },
})

export const testWebhookOperation = defineOperation({
  ...managed,
  operationId: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  client: 'webhooks.test',
  idempotency: 'replayed',
  pathParameters: [webhookId(1)],
  summary: 'Test a webhook',
  description:
    'Records an event `webhook.tested`, which is sent to this webhook alone, whatever its types. Its delivery is the newest of the webhook.',
  returns: 'nothing',
  item: Webhook,
  errors: ['not_found', 'webhook_not_enabled', 'body_too_large'],
  examples: { name: 'tested', summary: 'A webhook that is tested' },
})

export const listDeliveriesOperation = defineOperation({
  ...managed,
  operationId: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
  client: 'webhooks.listDeliveries',
  pathParameters: [webhookId(1)],
  summary: 'List the deliveries of a webhook',
  description:
    'Returns a page of deliveries in ascending order of ids. The last 100 that succeeded are kept, and all others for 30 days.',
  query: deliveriesFilter,
  returns: 'page',
  item: Delivery,
  list: Deliveries,
  errors: ['not_found'],
  examples: {
    name: 'none',
    summary: 'No delivery failed',
    query: { status: 'failed', eventId: delivery.eventId },
    response: [],
  },
})

export const retryDeliveryOperation = defineOperation({
  ...managed,
  operationId: 'retryDelivery',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
  client: 'webhooks.retryDelivery',
  idempotency: 'replayed',
  pathParameters: [webhookId(delivery.webhookId), deliveryId],
  summary: 'Retry a delivery',
  description:
    'Sends an event again now, whatever the state of its delivery. A `lost` one is a 410.',
  returns: 'record',
  item: Delivery,
  errors: ['not_found', 'webhook_not_enabled', 'events_expired', 'body_too_large'],
  examples: {
    name: 'retried',
    summary: 'A delivery that is sent again',
    response: { ...delivery, status: 'pending', nextAttemptAt: delivery.createdAt },
  },
})

export const replayWebhookOperation = defineOperation({
  ...managed,
  operationId: 'replayWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/replay',
  client: 'webhooks.replay',
  idempotency: 'replayed',
  pathParameters: [webhookId(1)],
  summary: 'Replay events to a webhook',
  description:
    'Sends all events after a position in the log once more, also those that the webhook has received.',
  body: NewReplay,
  returns: 'nothing',
  item: Webhook,
  errors: ['not_found'],
  examples: { name: 'replayed', summary: 'All events but the first', body: { after: 1 } },
})
