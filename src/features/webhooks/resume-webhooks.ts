import type { Context, LogPositions } from '../../context/context.ts'
import { resume, selectPaused } from './queries.ts'

/**
 * Lets a store send that is a copy or was recovered; returns how many webhooks waited. Those whose positions are no longer
 * in the log get what happens from now on. Resolves only once it is durable.
 */
export async function resumeWebhooks(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  positions: LogPositions,
): Promise<number> {
  const paused = await db.read(selectPaused, undefined)
  if (paused > 0) await db.write(resume, { now: clock(), positions })
  return paused
}
