import type pg from 'pg'
import { sleep } from '../../timers.ts'
import { instantMs } from '../deadline.ts'
import { OpenError } from '../errors.ts'
import { requireUnmarked, selectMark, storeMarkTable } from '../schema/store-mark.ts'
import { sqlOn } from './sql.ts'

/** An advisory lock on a store: every session that uses it shares the lock, a restore or a move has it alone. Any constant. */
const storeLock = 7_365_738_713

/** How long a restore or a move waits for short commands. */
const holdMaxMs = 2_000
const holdPollMs = 100

/** Shares the lock until the session ends. Throws `alreadyServed` while a restore or a move has it. */
export async function joinStore(client: pg.ClientBase, name: string): Promise<void> {
  if (await takes(client, 'pg_try_advisory_lock_shared')) return
  throw new OpenError('alreadyServed', `${name} is being moved or restored by another process.`)
}

/** Throws `configuration` for a marked store; an outdated one has no marks. */
export async function refuseMarked(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
    [storeMarkTable],
  )
  if (rows[0]?.found) requireUnmarked(await selectMark(sqlOn(client)), name)
}

/**
 * Takes the lock alone until the session ends. It is tried again and again: a session that waited for it would keep
 * further sessions of a running service out. Throws `alreadyServed`.
 */
export async function holdStore(client: pg.ClientBase, name: string): Promise<void> {
  const giveUpMs = instantMs() + holdMaxMs
  while (!(await takes(client, 'pg_try_advisory_lock'))) {
    if (instantMs() > giveUpMs) {
      throw new OpenError(
        'alreadyServed',
        `${name} is being served, or used by another command. Stop the services first, on every machine.`,
      )
    }
    await sleep(holdPollMs)
  }
}

type Take = 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared'

async function takes(client: pg.ClientBase, take: Take): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${take}(${storeLock}) as taken`)
  return rows[0]?.taken === true
}

/** How long a start may take from joining a store to waiting for the migration lock. */
const startMaxMs = 5_000

/** Whether other sessions use the store, but for those that wait to migrate it, or soon will: they are of this version. */
export async function isUsed(client: pg.ClientBase, migrationLock: number): Promise<boolean> {
  const giveUpMs = instantMs() + startMaxMs
  while (await isUsedNow(client, migrationLock)) {
    if (instantMs() > giveUpMs) return true
    await sleep(holdPollMs)
  }
  return false
}

async function isUsedNow(client: pg.ClientBase, migrationLock: number): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from pg_locks as holder
      where ${isLock(storeLock)} and granted and pid <> pg_backend_pid() and not exists (
        select from pg_locks where pid = holder.pid and not granted and ${isLock(migrationLock)}
      )) as used`,
  )
  return rows[0]?.used === true
}

/** An advisory lock of one 64-bit number has its halves in two columns. */
function isLock(lock: number): string {
  return `locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = ${Math.floor(lock / 2 ** 32)} and objid::bigint = ${lock % 2 ** 32} and objsubid = 1`
}
