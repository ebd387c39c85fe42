import type { Context } from '../../context/context.ts'
import { invalidBody } from '../refuse.ts'
import type { NewReplay } from './contract/deliveries.ts'
import { rewindQueue, webhookWrite } from './queries.ts'

/** Sends all events after a position once more. Throws `invalid_body` for a position outside of the log, `not_found`. */
export async function replayWebhook(
  { db, feed }: Context,
  { id, body: { after } }: { id: bigint; body: NewReplay },
): Promise<null> {
  if (!feed) throw new Error('Only a service has a feed.')
  const { oldest, newest } = await feed.positions()
  if (after < oldest || after > newest) {
    const detail = `must be a position in the log of events, from ${oldest} to ${newest}; received ${after}`
    throw invalidBody([{ pointer: '/after', detail }])
  }
  return db.write(rewindWebhook, { id, after })
}

type Replayed = { id: bigint; after: bigint }

export const rewindWebhook = webhookWrite(
  'replayWebhook',
  async (tx, _webhook, { id, after }: Replayed) => {
    await rewindQueue(tx, id, after)
    return null
  },
)
