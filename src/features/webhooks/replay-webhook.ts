import type { ServiceContext } from '../../context/context.ts'
import { findOutbox } from '../events/outbox/outbox.ts'
import { invalidBody } from '../refuse.ts'
import type { NewReplay } from './contract/deliveries.ts'
import { insertReplay, webhookWrite } from './queries.ts'
import { requireEnabled } from './test-webhook.ts'

/**
 * Sends all events after a position once more. Throws `invalid_body` for a position outside of the log, `not_found`,
 * `webhook_not_enabled`.
 */
export async function replayWebhook(
  { db, feed }: ServiceContext,
  { id, body: { after } }: { id: bigint; body: NewReplay },
): Promise<null> {
  const { oldest, newest } = await feed.positions()
  if (after < oldest || after > newest) {
    const detail = `must be a position in the log of events, from ${oldest} to ${newest}; received ${after}`
    throw invalidBody([{ pointer: '/after', detail }])
  }
  return db.write(startReplay, { id, after })
}

type Replay = { id: bigint; after: bigint }

export const startReplay = webhookWrite(
  'replayWebhook',
  async (tx, webhook, { id, after }: Replay) => {
    requireEnabled(webhook)
    const outbox = await findOutbox(tx)
    // Later events have yet to become deliveries in any case.
    const until = outbox?.fannedOutTo ?? outbox?.newest
    if (until !== undefined) await insertReplay(tx, { id, after, until })
    return null
  },
)
