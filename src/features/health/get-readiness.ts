import type { ServiceContext } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Replication } from '../../db/opening/load.ts'
import { selectNothing, updateReadiness } from './queries.ts'

/**
 * Returns once the database has all tables and has committed; concurrent requests share one commit. Throws `unavailable`,
 * also during a stop, unless other processes serve its connections.
 */
export async function getReadiness({
  db,
  clock,
  isStopping,
  isReplaced,
  tables,
}: ServiceContext): Promise<{ status: 'ready'; replication?: Replication }> {
  if (isStopping() && !isReplaced()) {
    throw new ServiceError('unavailable', 'This process is stopping and accepts no new clients.')
  }
  await db.read(selectNothing, tables).catch(explainMissing)
  await db.write(updateReadiness, clock())
  const replication = await db.replication?.()
  return { status: 'ready', ...(replication ? { replication } : {}) }
}

/** PostgreSQL's error is `unavailable` already. */
function explainMissing(cause: Error): never {
  if (!cause.message.includes('no such table')) throw cause
  const message = 'A table of the store is missing; petstore verify says which.'
  throw new ServiceError('unavailable', message, { cause })
}
