import type { LogPositions } from '../../context/context.ts'
import { isText, requireSound } from '../../db/damaged-row.ts'
import { oneByOne, type Row, type Sql, type Tx, type Write } from '../../db/db.ts'
import { isInstant, isoOf } from '../../db/instants.ts'
import { lockById, queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { column, defineRecord } from '../../db/records.ts'
import { queryOnce } from '../../db/rows.ts'
import { notFound } from '../refuse.ts'
import type { NewWebhook, Webhook } from './contract/webhooks.ts'

/** A webhook as events have it. */
type EventRecord = Omit<Webhook, 'failingSince' | 'blockedReason'>

export type StoredWebhook = {
  record: EventRecord
  secret: Uint8Array
  /** The secret that the last rotation replaced. */
  previousSecret: Uint8Array | undefined
  /** Of its queue: the first failed attempt since the last that succeeded. */
  failingSince: string | undefined
  /** Of its store: it is no copy, or somebody has resumed it. */
  isResumed: boolean
}

export type NewStoredWebhook = NewWebhook & {
  secret: Uint8Array
  createdAt: number
  /** The key that makes it; undefined for a command. */
  createdBy: bigint | undefined
}

const record = defineRecord<EventRecord>('webhooks', {
  id: column.id,
  url: column.text,
  types: column.optional(column.list(isText)),
  description: column.optional(column.text),
  status: column.oneOf(['enabled', 'paused', 'disabled']),
  disabledReason: column.optional(column.oneOf(['gone', 'failing'])),
  createdAt: column.instant,
  createdBy: column.optional(column.id),
  previousSecretEndsAt: column.optional(column.instant),
})

/** How a webhook is read. `itemOf` throws DamagedRow. */
export const webhooks = {
  table: 'webhooks',
  columns: `${record.columns}, secret, previous_secret,
    (select failing_since from webhook_queues where webhook_id = webhooks.id),
    (select count(*) from webhooks_resumed)`,
  itemOf(row: Row): StoredWebhook {
    const [secret, previousSecret, failingSince, resumed] = row.slice(-4)
    requireSound('webhooks', row[0], {
      failing_since: failingSince === null || isInstant(failingSince),
    })
    return {
      record: record.itemOf(row),
      secret: secret as Uint8Array,
      previousSecret: (previousSecret as Uint8Array | null) ?? undefined,
      failingSince: isoOf(failingSince as bigint | null),
      isResumed: resumed === 1n,
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

/** Webhooks that no process would find to send for. */
export async function selectWithoutQueue(sql: Sql): Promise<bigint[]> {
  const rows = await sql.all<[bigint]>(
    'select id from webhooks where id not in (select webhook_id from webhook_queues) order by id',
  )
  return rows.map(([id]) => id)
}

export async function insertResumed(sql: Sql, now: number): Promise<void> {
  await sql.all(
    'insert into webhooks_resumed (id, resumed_at) values (1, ?1) on conflict (id) do nothing',
    [now],
  )
}

/** Inserts a webhook that gets the events after `position`. */
export async function insertWebhookRow(
  sql: Sql,
  { url, types, description, secret, createdAt, createdBy }: NewStoredWebhook,
  position: bigint,
): Promise<StoredWebhook> {
  const [row] = await sql.all<[bigint]>(
    `insert into webhooks (url, types, description, status, secret, created_at, created_by)
    values (?1, ?2, ?3, 'enabled', ?4, ?5, ?6) returning id`,
    [
      ...[url, types ? JSON.stringify(types) : null, description ?? null, secret],
      ...[createdAt, createdBy ?? null],
    ],
  )
  const [id] = row as [bigint]
  await sql.all(
    `insert into webhook_queues (webhook_id, position, lease_ends_at, fence) values (?1, ?2, 0, 0)`,
    [id, position],
  )
  return (await lockById(sql, webhooks, id)) as StoredWebhook
}

type Changed = { before: StoredWebhook; after: StoredWebhook }

/** Changes a locked webhook, and records that. */
export async function updateWebhookRow(
  tx: Tx,
  input: object,
  type: `webhook.${'updated' | 'rotated' | 'disabled'}`,
  { before, after }: Changed,
): Promise<void> {
  const { record: data, secret, previousSecret } = after
  const { id, url, types, description, status, disabledReason, previousSecretEndsAt } = data
  const endsAt = previousSecretEndsAt === undefined ? null : Date.parse(previousSecretEndsAt)
  await tx.all(
    `update webhooks set url = ?2, types = ?3, description = ?4, status = ?5, disabled_reason = ?6, secret = ?7,
    previous_secret = ?8, previous_secret_ends_at = ?9 where id = ?1`,
    [
      ...[id, url, types ? JSON.stringify(types) : null, description ?? null, status],
      ...[disabledReason ?? null, secret, previousSecret ?? null, endsAt],
    ],
  )
  tx.record(input, { type, record: 'webhook', id, data, before: before.record })
}

/** A webhook that may succeed again has not failed. */
export async function clearFailures(sql: Sql, id: bigint): Promise<void> {
  await sql.all('update webhook_queues set failing_since = null where webhook_id = ?1', [id])
}

export async function deleteWebhookRow(sql: Sql, id: bigint): Promise<void> {
  await sql.all('delete from webhooks where id = ?1', [id])
  await sql.all('delete from webhook_queues where webhook_id = ?1', [id])
}

/** Takes a queue from its process, whose next write then finds another `fence` and another position. */
const released = 'lease_holder = null, lease_ends_at = 0, fence = fence + 1'

/** Moves a queue back to a position, unless it is before it. */
export async function rewindQueue(sql: Sql, id: bigint, after: bigint): Promise<void> {
  await sql.all(
    `update webhook_queues set position = case when position < ?2 then position else ?2 end, ${released}
    where webhook_id = ?1`,
    [id, after],
  )
}

/** Moves queues whose positions are outside of the log to its end. */
export async function moveStrayQueues(sql: Sql, { oldest, newest }: LogPositions): Promise<void> {
  await sql.all(
    `update webhook_queues set position = ?2, ${released} where position < ?1 or position > ?2`,
    [oldest, newest],
  )
}

/** How many webhooks there are, where nothing is sent to any because nobody has resumed that. */
export const selectPaused = queryOnce(async (sql) => {
  const [row] = await sql.all<[bigint]>(
    'select count(*) from webhooks where not exists (select 1 from webhooks_resumed)',
  )
  return Number(row?.[0] ?? 0n)
})
