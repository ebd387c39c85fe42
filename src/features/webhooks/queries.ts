import type { LogPositions } from '../../context/context.ts'
import { isId, isJsonList, isText, requireSound } from '../../db/damaged-row.ts'
import { oneByOne, type Row, type Sql, type Tx, type Write } from '../../db/db.ts'
import { isInstant, isoOf } from '../../db/instants.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { presentMembers, queryOnce } from '../../db/rows.ts'
import { notFound } from '../refuse.ts'
import type { NewWebhook, Webhook } from './contract/webhooks.ts'

export type StoredWebhook = {
  /** As events have it. */
  record: Webhook
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

/** The columns of a webhook, which `webhookOf` reads. */
export const columns = `id, url, types, description, status, disabled_reason, secret, previous_secret,
  previous_secret_ends_at, created_at, created_by,
  (select failing_since from webhook_queues where webhook_id = webhooks.id),
  (select count(*) from webhooks_resumed)`

export const webhooksList = listStatements<Record<never, never>, StoredWebhook>('webhooks', {
  table: 'webhooks',
  columns,
  conditionsOf: () => [],
  itemOf: webhookOf,
})

export const selectWebhook = queryById({ table: 'webhooks', columns, itemOf: webhookOf })

/** A webhook as it is under its lock. */
export async function findWebhookRow(sql: Sql, id: bigint): Promise<StoredWebhook | undefined> {
  const [row] = await sql.all(`select ${columns} from webhooks where id = ?1${sql.forUpdate}`, [id])
  return row && webhookOf(row)
}

/** A write of one webhook, under its lock. Throws `not_found`. */
export function webhookWrite<Value, Input extends { id: bigint }>(
  name: string,
  run: (tx: Tx, webhook: StoredWebhook, input: Input) => Promise<Value>,
): Write<Input, Value> {
  return oneByOne({
    name,
    rowOf: ({ id }) => id,
    async run(tx, input) {
      const webhook = await findWebhookRow(tx, input.id)
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
  return (await findWebhookRow(sql, id)) as StoredWebhook
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

/** Its deliveries, which may be many, are deleted later. */
export const endWebhook = webhookWrite('deleteWebhook', async (tx, { record: data }, input) => {
  const { id } = input
  await tx.all('delete from webhooks where id = ?1', [id])
  await tx.all('delete from webhook_queues where webhook_id = ?1', [id])
  tx.record(input, { type: 'webhook.deleted', record: 'webhook', id, data })
  return null
})

/** Takes a queue from its process, whose next write then finds another `fence` and another position. */
const released = 'lease_holder = null, lease_ends_at = 0, fence = fence + 1'

/** Moves a queue back to a position. */
export const moveBack = webhookWrite(
  'replayWebhook',
  async (tx, _webhook, { id, after }: { id: bigint; after: bigint }) => {
    await tx.all(
      `update webhook_queues set position = case when position < ?2 then position else ?2 end, ${released}
      where webhook_id = ?1`,
      [id, after],
    )
    return null
  },
)

/** Lets the store send. Queues whose positions are outside of the log are moved to its end. */
export const resume = oneByOne<{ now: number; positions: LogPositions }, null>({
  name: 'resumeWebhooks',
  async run(tx, { now, positions: { oldest, newest } }) {
    await tx.all(
      `update webhook_queues set position = ?2, ${released} where position < ?1 or position > ?2`,
      [oldest, newest],
    )
    await insertResumed(tx, now)
    return null
  },
})

/** How many webhooks there are, where nothing is sent to any because nobody has resumed that. */
export const selectPaused = queryOnce(async (sql) => {
  const [row] = await sql.all<[bigint]>(
    'select count(*) from webhooks where not exists (select 1 from webhooks_resumed)',
  )
  return Number(row?.[0] ?? 0n)
})

/** Throws DamagedRow. */
export function webhookOf(row: Row): StoredWebhook {
  const [id, url, types, description, status, disabledReason, secret, previous, ...others] = row
  const [previousEndsAt, createdAt, createdBy, failingSince, resumed] = others
  requireSound('webhooks', id, {
    id: isId(id),
    url: isText(url),
    types: types === null || isJsonList(types, isText),
    description: description === null || isText(description),
    previous_secret_ends_at: previousEndsAt === null || isInstant(previousEndsAt),
    created_at: isInstant(createdAt),
    created_by: createdBy === null || isId(createdBy),
    failing_since: failingSince === null || isInstant(failingSince),
  })
  const record = presentMembers<Webhook>({
    ...{ id, url, types: types && JSON.parse(types as string), description, status },
    ...{ disabledReason, createdAt: isoOf(createdAt as bigint), createdBy },
    previousSecretEndsAt: isoOf(previousEndsAt as bigint | null),
  })
  return {
    record,
    secret: secret as Uint8Array,
    previousSecret: (previous as Uint8Array | null) ?? undefined,
    failingSince: isoOf(failingSince as bigint | null),
    isResumed: resumed === 1n,
  }
}
