// Made from the contract by tools/generate.ts.

import type { Call } from '../call.ts'
import { List } from '../list.ts'
import type { CreateOptions, Int64, ListOptions, Operation, RequestOptions } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { Delivery, IssuedWebhook, ListDeliveriesQuery, ListWebhooksQuery, NewReplay, NewWebhook, Webhook, WebhookChange } from './records.ts'

const listWebhooks: Operation = {
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
}

const createWebhook: Operation = {
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  isKeyed: true,
}

const getWebhook: Operation = {
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhookId}',
}

const updateWebhook: Operation = {
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhookId}',
}

const deleteWebhook: Operation = {
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
}

const rotateWebhookSecret: Operation = {
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate-secret',
  isKeyed: true,
}

const testWebhook: Operation = {
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/test',
  isKeyed: true,
}

const listDeliveries: Operation = {
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhookId}/deliveries',
}

const retryDelivery: Operation = {
  id: 'retryDelivery',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
  isKeyed: true,
}

const replayWebhook: Operation = {
  id: 'replayWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/replay',
  isKeyed: true,
}

export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * List all webhooks.
   *
   * Returns a page of webhooks in ascending order of ids, without their secrets.
   */
  list(query: ListWebhooksQuery = {}, options: ListOptions = {}): List<Webhook> {
    return new List(this.#transport, listWebhooks, { query }, options)
  }

  /**
   * Create a webhook.
   *
   * Creates a webhook; the events after it are sent, at least once each and in no promised order. All addresses that the name in `url` stands for are checked now and at each attempt. A store has at most 50 webhooks. The secret is in this response alone, and a repetition with the same `Idempotency-Key` is refused.
   */
  create(body: NewWebhook, options: CreateOptions = {}): Call<IssuedWebhook> {
    return this.#transport.call(createWebhook, { body }, options)
  }

  /**
   * Get a webhook.
   *
   * Returns one webhook, without its secret.
   */
  get(webhookId: Int64, options: RequestOptions = {}): Call<Webhook> {
    return this.#transport.call(getWebhook, { ids: [webhookId] }, options)
  }

  /**
   * Update a webhook.
   *
   * Changes the fields that are sent. A webhook that the service has disabled is enabled by `"status": "enabled"`. Another `url` takes every scope with which the key that made the webhook reads events.
   */
  update(webhookId: Int64, body: WebhookChange, options: RequestOptions = {}): Call<Webhook> {
    return this.#transport.call(updateWebhook, { ids: [webhookId], body }, options)
  }

  /**
   * Delete a webhook.
   *
   * Deletes a webhook and its deliveries. Nothing more is sent to it.
   */
  delete(webhookId: Int64, options: RequestOptions = {}): Call<void> {
    return this.#transport.call(deleteWebhook, { ids: [webhookId] }, options)
  }

  /**
   * Rotate the secret of a webhook.
   *
   * Replaces the secret. Deliveries carry signatures by both for a day; then, or with the next rotation, the replaced one ends. It takes every scope with which the key that made the webhook reads events. The secret is in this response alone, and a repetition with the same `Idempotency-Key` is refused.
   */
  rotateSecret(webhookId: Int64, options: CreateOptions = {}): Call<IssuedWebhook> {
    return this.#transport.call(rotateWebhookSecret, { ids: [webhookId] }, options)
  }

  /**
   * Test a webhook.
   *
   * Records an event `webhook.tested`, which is sent to this webhook alone, whatever its types. Its delivery is the newest of the webhook.
   */
  test(webhookId: Int64, options: CreateOptions = {}): Call<void> {
    return this.#transport.call(testWebhook, { ids: [webhookId] }, options)
  }

  /**
   * List the deliveries of a webhook.
   *
   * Returns a page of deliveries in ascending order of ids. They are kept for 30 days, up to a number that the operator sets, by default a million: beyond that the oldest that succeeded are deleted, then those that failed, then those that wait.
   */
  listDeliveries(webhookId: Int64, query: ListDeliveriesQuery = {}, options: ListOptions = {}): List<Delivery> {
    return new List(this.#transport, listDeliveries, { ids: [webhookId], query }, options)
  }

  /**
   * Retry a delivery.
   *
   * Sends an event again now, whatever the state of its delivery. It is a 410 once the event is deleted.
   */
  retryDelivery(webhookId: Int64, deliveryId: Int64, options: CreateOptions = {}): Call<Delivery> {
    return this.#transport.call(retryDelivery, { ids: [webhookId, deliveryId] }, options)
  }

  /**
   * Replay events to a webhook.
   *
   * Sends all events after a position in the log once more, also those that the webhook has received.
   */
  replay(webhookId: Int64, body: NewReplay, options: CreateOptions = {}): Call<void> {
    return this.#transport.call(replayWebhook, { ids: [webhookId], body }, options)
  }
}
