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
