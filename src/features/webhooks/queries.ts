import { readSound } from '../../db/damaged-row.ts'
import { oneByOne, type Row, type Sql, type Tx, type Write } from '../../db/db.ts'
import { lockById, queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { defineTable } from '../../db/records.ts'
import { queryOnce } from '../../db/rows.ts'
import { findOutbox } from '../events/outbox/outbox.ts'
import type { Grant } from '../keys/grants.ts'
import { notFound } from '../refuse.ts'
import { type NewWebhook, Webhook } from './contract/webhooks.ts'

export type StoredWebhook = {
  record: Omit<Webhook, 'blockedReason'>
  secret: Uint8Array
  /** The secret that the last rotation replaced. */
  previousSecret: Uint8Array | undefined
  /** It gets the events after this one. */
  startsAfter: bigint
  /** Of its store: it is no copy, or somebody has resumed it. */
  isResumed: boolean
  /** The key that made it; undefined where that is deleted, and for a command. */
  maker: Maker | undefined
}

/** A key as it is now; `endsAt`, in milliseconds since 1970, is absent where it never does. */
type Maker = { digest: Uint8Array; grants: readonly Grant[]; endsAt: number | undefined }

export type NewStoredWebhook = NewWebhook & {
  secret: Uint8Array
  createdAt: number
  /** The key that makes it; undefined for a command. */
  createdBy: bigint | undefined
}

const record = defineTable('webhooks', Webhook)

const ofMaker = (value: string) => `(select ${value} from keys where keys.id = webhooks.created_by)`

/** How a webhook is read. `itemOf` throws DamagedRow. */
export const webhooks = {
  table: 'webhooks',
  columns: `${record.columns}, secret, previous_secret, starts_after, (select count(*) from webhooks_resumed),
    ${ofMaker('digest')}, ${ofMaker('scopes')}, ${ofMaker('coalesce(revoked_at, expires_at)')}`,
  itemOf(row: Row): StoredWebhook {
    const [secret, previousSecret, startsAfter, resumed, digest, scopes, endsAt] = row.slice(
      -7,
    ) as [
      ...[Uint8Array, Uint8Array | null, bigint, bigint],
      ...[Uint8Array | null, string | null, bigint | null],
    ]
    const grants = scopes?.split(' ') as Grant[] | undefined
    return {
      record: record.itemOf(row),
      ...{ secret, previousSecret: previousSecret ?? undefined, startsAfter },
      isResumed: resumed === 1n,
      maker:
        digest && grants
          ? { digest, grants, endsAt: endsAt === null ? undefined : Number(endsAt) }
          : undefined,
    }
  },
}

export const webhooksList = listStatements<Record<never, never>, StoredWebhook>('webhooks', {
  ...webhooks,
  conditionsOf: () => [],
})

export const selectWebhook = queryById(webhooks)

/** A write of one webhook, under its lock. Throws `not_found`. */
export function webhookWrite<Value, Input extends { id: bigint }>(
  name: string,
  run: (tx: Tx, webhook: StoredWebhook, input: Input) => Promise<Value>,
): Write<Input, Value> {
  return oneByOne({
    name,
    rowOf: ({ id }) => id,
    async run(tx, input) {
      const webhook = await lockById(tx, webhooks, input.id)
      if (!webhook) throw notFound('webhook', input.id)
      return run(tx, webhook, input)
    },
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

/** Inserts a webhook that gets the events after a position. */
export async function insertWebhookRow(
  sql: Sql,
  { url, types, description, secret, createdAt, createdBy }: NewStoredWebhook,
  startsAfter: bigint,
): Promise<StoredWebhook> {
  const [row] = await sql.all<[bigint]>(
    `insert into webhooks (url, types, description, status, secret, created_at, created_by, starts_after)
    values (?1, ?2, ?3, 'enabled', ?4, ?5, ?6, ?7) returning id`,
    [
      ...[url, types ? JSON.stringify(types) : null, description ?? null, secret],
      ...[createdAt, createdBy ?? null, startsAfter],
    ],
  )
  return (await lockById(sql, webhooks, row?.[0] as bigint)) as StoredWebhook
}

type Changed = { before: StoredWebhook; after: StoredWebhook }

/** Changes a locked webhook, and records that. */
export async function updateWebhookRow(
  tx: Tx,
  input: object,
  type: `webhook.${'updated' | 'rotated' | 'disabled'}`,
  { before, after: { record, secret, previousSecret } }: Changed,
): Promise<StoredWebhook> {
  const { id, url, types, description, status, disabledReason } = record
  const { failingSince, previousSecretEndsAt } = record
  const msOf = (instant: string | undefined) => (instant === undefined ? null : Date.parse(instant))
  await tx.all(
    `update webhooks set url = ?2, types = ?3, description = ?4, status = ?5, disabled_reason = ?6, secret = ?7,
    previous_secret = ?8, previous_secret_ends_at = ?9, failing_since = ?10 where id = ?1`,
    [
      ...[id, url, types ? JSON.stringify(types) : null, description ?? null, status],
      ...[disabledReason ?? null, secret, previousSecret ?? null],
      ...[msOf(previousSecretEndsAt), msOf(failingSince)],
    ],
  )
  const [data, was] = [eventOf(record), eventOf(before.record)]
  tx.record(input, { type, record: 'webhook', id, data, before: was })
  return (await lockById(tx, webhooks, id)) as StoredWebhook
}

/** A webhook as events have it. */
export function eventOf({ failingSince, missedAfter, ...data }: StoredWebhook['record']) {
  return data
}

export async function deleteWebhookRow(sql: Sql, id: bigint): Promise<void> {
  await sql.all('delete from webhooks where id = ?1', [id])
  await sql.all('delete from webhook_replays where webhook_id = ?1', [id])
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
  await sql.all(`delete from webhook_replays where ${sql.isAnyOf('webhook_id', '?1')}`, [
    sql.set(ids),
  ])
}

/** The webhooks to which somebody wants events to be sent. A damaged one does not stop the others. */
export async function selectEnabled(sql: Sql): Promise<StoredWebhook[]> {
  const rows = await sql.all(
    `select ${webhooks.columns} from webhooks where status = 'enabled' order by id`,
  )
  return readSound(rows, webhooks.itemOf)
}

/** How many webhooks there are, where nothing is sent to any because nobody has resumed that. */
export const selectPaused = queryOnce(async (sql) => {
  const [row] = await sql.all<[bigint]>(
    'select count(*) from webhooks where not exists (select 1 from webhooks_resumed)',
  )
  return Number(row?.[0] ?? 0n)
})
