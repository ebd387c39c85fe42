import { member } from '../../contract/member.ts'
import { int64 } from '../../contract/schemas.ts'
import * as Type from '../../contract/type.ts'
import { oneByOne, type Sql, type Tx, type Write } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { readSound } from '../../db/records/damaged-row.ts'
import { defineTable } from '../../db/records/records.ts'
import { queryOnce } from '../../db/records/rows.ts'
import { storedBytes } from '../../db/records/stored-as.ts'
import { findOutbox } from '../events/outbox/outbox.ts'
import type { Grant } from '../keys/grants.ts'
import { writesOf } from '../record-writes.ts'
import { webhookRecord } from './contract/webhooks.ts'

const isApart = true
/** Of the key that made a webhook, as it is now; absent where that is deleted, and for a command. */
const ofMaker = (value: string) =>
  ({
    column: `(select ${value} from keys where keys.id = webhooks.created_by)`,
    isApart,
  }) as const

const StoredWebhook = Type.Object(
  {
    ...webhookRecord.Item.properties,
    secret: storedBytes,
    /** The secret that the last rotation replaced. */
    previousSecret: Type.Optional(storedBytes),
    /** It gets the events after this one. */
    startsAfter: int64({}),
    /** False in a copy, until `petstore webhooks resume`. */
    isResumed: member(Type.Boolean(), {
      column: '(select count(*) from webhooks_resumed)',
      isApart,
    }),
    makerDigest: Type.Optional(member(storedBytes, ofMaker('digest'))),
    makerScopes: Type.Optional(
      member(Type.Unsafe<Grant[]>({}), { ...ofMaker('scopes'), isWords: true }),
    ),
    /** In milliseconds since 1970; absent where it never does. */
    makerEndsAt: Type.Optional(member(int64({}), ofMaker('coalesce(revoked_at, expires_at)'))),
  },
  { $id: 'Webhook' },
)
export type StoredWebhook = Type.Static<typeof StoredWebhook>

/** How webhooks are stored. */
export const webhooks = defineTable('webhooks', StoredWebhook)

export const webhooksList = listStatements<Record<never, never>, StoredWebhook>('webhooks', {
  ...webhooks,
  conditionsOf: () => [],
})

export const selectWebhook = queryById(webhooks)

export const webhookWrites = writesOf(webhookRecord, webhooks, {
  deleted: deleteReplays,
})

/** A write of one webhook, under its lock. Throws `not_found`. */
export function webhookWrite<Value, Input extends { id: bigint }>(
  name: string,
  run: (tx: Tx, webhook: StoredWebhook, input: Input) => Promise<Value>,
): Write<Input, Value> {
  return oneByOne({
    name,
    rowOf: ({ id }) => id,
    run: async (tx, input) => run(tx, await webhookWrites.lock(tx, input), input),
  })
}

/** How many webhooks there are. They stay locked: of two creates one waits, and counts what the other has added. */
export async function lockWebhooks(sql: Sql): Promise<number> {
  await sql.all(`select id from webhooks order by id${sql.forUpdate}`)
  const [row] = await sql.all<[bigint]>('select count(*) from webhooks')
  return Number(row?.[0])
}

export async function insertResumed(sql: Sql, now: number): Promise<void> {
  await sql.all(
    'insert into webhooks_resumed (id, resumed_at) values (1, ?1) on conflict (id) do nothing',
    [now],
  )
}

/** Sends the events after a position up to another once more, together with those of replays that have not ended. */
export async function insertReplay(
  sql: Sql,
  { id, after, until }: { id: bigint; after: bigint; until: bigint },
): Promise<void> {
  await sql.all('update webhooks set missed_after = null where id = ?1 and missed_after >= ?2', [
    id,
    after,
  ])
  await sql.all(
    `insert into webhook_replays (webhook_id, position, until) values (?1, ?2, ?3)
    on conflict (webhook_id) do update set until = excluded.until,
    position = case when excluded.position < webhook_replays.position then excluded.position
      else webhook_replays.position end`,
    [id, after, until],
  )
}

/** From now on webhooks get no events: each notes the position from which it misses some, which may be that of a replay. */
export async function noteMissed(sql: Sql, ids: readonly bigint[]): Promise<void> {
  const outbox = await findOutbox(sql)
  if (!outbox) return
  const parameters = [sql.set(ids), outbox.fannedOutTo ?? outbox.newest]
  await sql.all(
    `update webhooks set missed_after = coalesce(missed_after,
      (select position from webhook_replays where webhook_id = webhooks.id), ?2)
    where ${sql.isAnyOf('id', '?1')}`,
    parameters,
  )
  await deleteReplays(sql, ids)
}

async function deleteReplays(sql: Sql, ids: readonly bigint[]): Promise<void> {
  const isOne = sql.isAnyOf('webhook_id', '?1')
  await sql.all(`delete from webhook_replays where ${isOne}`, [sql.set(ids)])
}

/** The webhooks to which somebody wants events to be sent. A damaged one does not stop the others. */
export async function selectEnabled(sql: Sql): Promise<StoredWebhook[]> {
  const rows = await sql.all(
    `select ${webhooks.columns} from webhooks where status = 'enabled' order by id`,
  )
  return readSound(rows, webhooks.itemOf)
}

/** How many webhooks a copy has that nobody has resumed; 0 in any other store. */
export const selectPaused = queryOnce(async (sql) => {
  const [row] = await sql.all<[bigint]>(
    'select count(*) from webhooks where not exists (select 1 from webhooks_resumed)',
  )
  return Number(row?.[0] ?? 0n)
})
