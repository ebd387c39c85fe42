import type { Tx } from '../../db/db.ts'
import { webhookNotFound } from './get-webhook.ts'
import { findWebhookRow, type StoredWebhook, updateWebhookRow } from './queries.ts'

type WebhookChange = {
  type: `webhook.${'updated' | 'rotated' | 'disabled'}`
  before: StoredWebhook
  after: StoredWebhook
}

/** Stores a webhook that is locked, and records the change. Returns it as it is then. */
export async function storeChange(
  tx: Tx,
  input: object,
  { type, before, after }: WebhookChange,
): Promise<StoredWebhook> {
  await updateWebhookRow(tx, after)
  const { record: data } = after
  tx.record(input, { type, record: 'webhook', id: data.id, data, before: before.record })
  return after
}

/** Throws `not_found`. */
export async function lockWebhook(tx: Tx, id: bigint): Promise<StoredWebhook> {
  const webhook = await findWebhookRow(tx, id)
  if (!webhook) throw webhookNotFound(id)
  return webhook
}
