import { oneByOne, type Tx, type Write } from '../../db/db.ts'
import { webhookNotFound } from './get-webhook.ts'
import { findWebhookRow, type StoredWebhook, updateWebhookRow, webhookRecord } from './queries.ts'

/** A write that changes a webhook under its lock. `change` may throw a `Refusal`. Throws `not_found`. */
export function webhookWrite<Input>(
  type: `webhook.${'updated' | 'rotated' | 'disabled'}`,
  change: (webhook: StoredWebhook, input: Input, tx: Tx) => StoredWebhook | Promise<StoredWebhook>,
): Write<Input & { id: bigint }, StoredWebhook> {
  return oneByOne({
    name: type,
    rowOf: ({ id }) => id,
    async run(tx, input) {
      const { id } = input
      const webhook = await lockWebhook(tx, id)
      const changed = await change(webhook, input, tx)
      await updateWebhookRow(tx, changed)
      tx.record(input, {
        type,
        record: 'webhook',
        id,
        data: webhookRecord(changed),
        before: webhookRecord(webhook),
      })
      return changed
    },
  })
}

/** Throws `not_found`. */
export async function lockWebhook(tx: Tx, id: bigint): Promise<StoredWebhook> {
  const webhook = await findWebhookRow(tx, id)
  if (!webhook) throw webhookNotFound(id)
  return webhook
}
