import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { moveOutbox, startOutbox } from '../events/outbox/outbox.ts'
import { insertResumed, noteMissed, selectEnabled, selectPaused } from './queries.ts'

/**
 * Lets a store send from now on that is a copy or was recovered; returns how many webhooks waited. Resolves only once it is
 * durable.
 */
export async function resumeWebhooks({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const paused = await db.read(selectPaused, undefined)
  if (paused > 0) await db.write(allowSending, clock())
  return paused
}

export const allowSending = oneByOne<number, null>({
  name: 'resumeWebhooks',
  async run(tx, now) {
    const enabled = await selectEnabled(tx)
    await noteMissed(
      tx,
      enabled.map(({ id }) => id),
    )
    await moveOutbox(tx, undefined)
    await startOutbox(tx)
    await insertResumed(tx, now)
    return null
  },
})
