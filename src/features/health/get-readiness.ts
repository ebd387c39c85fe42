import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Replication } from '../../db/load.ts'
import { updateReadiness } from './queries.ts'

/**
 * Returns once the database has committed; concurrent requests share one commit. Throws `unavailable`, also during a
 * stop, unless other processes serve its connections.
 */
export async function getReadiness({
  db,
  clock,
  isStopping,
  isReplaced,
}: Context): Promise<{ status: 'ready'; replication?: Replication }> {
  if (isStopping?.() && !isReplaced?.()) {
    throw new ServiceError('unavailable', 'This process is stopping and accepts no new clients.')
  }
  await db.write(updateReadiness, clock())
  const replication = await db.replication?.()
  return { status: 'ready', ...(replication ? { replication } : {}) }
}
