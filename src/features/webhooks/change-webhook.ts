import { oneByOne, type Tx, type Write } from '../../db/db.ts'
import { webhookNotFound } from './get-webhook.ts'
import { findWebhookRow, type StoredWebhook, updateWebhookRow, webhookRecord } from './queries.ts'

type ChangeType = `webhook.${'updated' | 'rotated' | 'disabled'}`

/** A write that changes a webhook under its lock. `change` may throw a `Refusal`. Throws `not_found`. */
export function webhookWrite<Input>(
  type: ChangeType,
  change: (webhook: StoredWebhook, input: Input, tx: Tx) => StoredWebhook | Promise<StoredWebhook>,
): Write<Input & { id: bigint }, StoredWebhook> {
  return oneByOne({
    name: type,
    rowOf: ({ id }) => id,
    async run(tx, input) {
      const { id } = input
      const webhook = await lockWebhook(tx, id)
      const changed = await change(webhook, input, tx)
      await storeChange(tx, input, { type, before: webhook, after: changed })
      return changed
    },
  })
}

type WebhookChange = { type: ChangeType; before: StoredWebhook; after: StoredWebhook }

/** Stores a webhook that is locked, and records the change. */
export async function storeChange(
  tx: Tx,
  input: object,
  { type, before, after }: WebhookChange,
): Promise<void> {
  await updateWebhookRow(tx, after)
  const [data, previous] = [webhookRecord(after), webhookRecord(before)]
  tx.record(input, { type, record: 'webhook', id: after.id, data, before: previous })
}

/** Throws `not_found`. */
export async function lockWebhook(tx: Tx, id: bigint): Promise<StoredWebhook> {
  const webhook = await findWebhookRow(tx, id)
  if (!webhook) throw webhookNotFound(id)
  return webhook
}
