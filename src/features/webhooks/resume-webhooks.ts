import type { Context, LogPositions } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { insertResumed, moveStrayQueues, selectPaused } from './queries.ts'

/**
 * Lets a store send that is a copy or was recovered; returns how many webhooks waited. Those whose positions are no longer
 * in the log get what happens from now on. Resolves only once it is durable.
 */
export async function resumeWebhooks(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  positions: LogPositions,
): Promise<number> {
  const paused = await db.read(selectPaused, undefined)
  if (paused > 0) await db.write(allowSending, { now: clock(), positions })
  return paused
}

export const allowSending = oneByOne<{ now: number; positions: LogPositions }, null>({
  name: 'resumeWebhooks',
  async run(tx, { now, positions }) {
    await moveStrayQueues(tx, positions)
    await insertResumed(tx, now)
    return null
  },
})
