import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { deleteWebhookRow, lockWebhook } from './queries.ts'

/** Deletes a webhook: nothing more is sent to it. Throws `not_found`. */
export function deleteWebhook({ db }: Context, id: bigint): Promise<null> {
  return db.write(endWebhook, { id })
}

export const endWebhook = oneByOne<{ id: bigint }, null>({
  name: 'deleteWebhook',
  rowOf: ({ id }) => id,
  async run(tx, input) {
    const { id } = input
    const { record: data } = await lockWebhook(tx, id)
    await deleteWebhookRow(tx, id)
    tx.record(input, { type: 'webhook.deleted', record: 'webhook', id, data })
    return null
  },
})
