import type { Context, LogPositions } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import { insertResumed, moveQueuesInto, selectPaused } from './queries.ts'

/** How many webhooks wait for `petstore webhooks resume`: those of a store that is a copy or was recovered. */
export function countPausedWebhooks({ db }: Pick<Context, 'db'>): Promise<number> {
  return db.read(selectPaused, undefined)
}

/**
 * Lets a store send that is a copy or was recovered; returns how many webhooks waited. Those whose positions are no longer
 * in the log get what happens from now on. Resolves only once it is durable.
 */
export async function resumeWebhooks(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  positions: LogPositions,
): Promise<number> {
  const paused = await countPausedWebhooks({ db })
  if (paused > 0) await db.write(resume, { now: clock(), positions })
  return paused
}

export const resume = oneByOne<{ now: number; positions: LogPositions }, null>({
  name: 'resumeWebhooks',
  async run(sql, { now, positions }) {
    await moveQueuesInto(sql, positions)
    await insertResumed(sql, now)
    return null
  },
})
