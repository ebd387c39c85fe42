import { timers } from '../../timers.ts'
import type { Sql } from '../db.ts'
import { lockedIds } from './commit-order.ts'

/** A session that keeps readers from later ids at two polls in a row is named. */
const pollEveryMs = 5_000

/** The session that keeps readers from ids that are visible. */
type CommitDelay = {
  pid: number
  application: string
  /** The last id that can be read. */
  position: string
  /** When its statement began, on the server's clock; where the role may not see that, now. */
  sinceMs: number
  /** As PostgreSQL names it, such as `IPC SyncRep`. */
  waitsFor: string
}

/** The session that delays readers of such a table now, most likely for some milliseconds only. */
export async function findDelay(
  sql: Pick<Sql, 'all'>,
  table: string,
): Promise<CommitDelay | undefined> {
  const [row] = await sql.all<[bigint, string, string, bigint, string]>(
    `select pid, application_name, id::text, round(extract(epoch from coalesce(query_start, clock_timestamp())) * 1000)::bigint,
      concat_ws(' ', wait_event_type, wait_event)
    from (${lockedIds}) as locked join pg_stat_activity using (pid)
    where id < (select max(id) from ${table}) order by id limit 1`,
  )
  if (!row) return undefined
  const [pid, application, position, sinceMs, waitsFor] = row
  return { pid: Number(pid), application, position, sinceMs: Number(sinceMs), waitsFor }
}

/** Warns when readers are delayed, and when they are no longer. Returns what ends that. */
export function watchDelays(
  find: () => Promise<CommitDelay | undefined>,
  warn: (sentence: string) => void,
): () => void {
  let seen: CommitDelay | undefined
  let reported: CommitDelay | undefined
  async function poll() {
    const found = await find()
    if (reported && !isSame(reported, found)) {
      warn(`Session ${reported.pid} of PostgreSQL no longer delays events.`)
      reported = undefined
    }
    if (!reported && isSame(seen, found)) {
      reported = seen
      warn(describeDelay(reported as CommitDelay))
    }
    seen = found
  }
  // Requests report that the database cannot be reached.
  const timer = timers.setInterval(() => void poll().catch(() => undefined), pollEveryMs).unref()
  return () => timers.clearInterval(timer)
}

function describeDelay({ pid, application, sinceMs, waitsFor }: CommitDelay): string {
  const since = new Date(sinceMs).toISOString()
  const cause = waitsFor === '' ? 'It runs.' : `It waits for ${waitsFor}.`
  return `Session ${pid} of PostgreSQL (${application}) has not committed since ${since}, and readers get no later events. ${cause} Remove the cause, or end the session: select pg_terminate_backend(${pid}).`
}

function isSame(before: CommitDelay | undefined, now: CommitDelay | undefined): boolean {
  return before !== undefined && before.pid === now?.pid && before.position === now.position
}
