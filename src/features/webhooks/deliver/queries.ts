import { parseJson, stringifyJson } from '../../../contract/int64-json.ts'
import { oneByOne, type Query, type Sql } from '../../../db/db.ts'
import { findWebhookRow, updateWebhookRow, webhookRecord } from '../queries.ts'
import { failingMaxMs } from './schedule.ts'

/** The succeeded deliveries of a webhook that are kept. */
const succeededMax = 100
const prunedMax = 500

type NewDeliveries = {
  webhookId: bigint
  fence: bigint
  /** The position before these events, and behind them. */
  from: bigint
  to: bigint
  now: number
  events: readonly { id: bigint; type: string }[]
}

/**
 * Makes events due for a webhook, and moves its position behind them. Returns false, and stores nothing, where another
 * process holds the webhook, or its position was moved.
 */
export const insertDeliveries = oneByOne<NewDeliveries, boolean>({
  name: 'insertWebhookDeliveries',
  rowOf: ({ webhookId }) => webhookId,
  async run(sql, { webhookId, fence, from: before, to, now, events }) {
    const moved = await sql.all(
      'update webhook_queues set position = ?4 where webhook_id = ?1 and fence = ?2 and position = ?3 returning fence',
      [webhookId, fence, before, to],
    )
    if (moved.length === 0) return false
    if (events.length === 0) return true
    const { from, parameters } = sql.rows(
      [
        { name: 'event_id', type: 'bigint' },
        { name: 'event_type', type: 'text' },
      ],
      events.map(({ id, type }) => [id, type]),
    )
    const own = parameters.length
    // Rows that exist are those of a replay.
    await sql.all(
      `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts)
      select cast(?${own + 1} as bigint), event_id, event_type, 'pending', cast(?${own + 2} as bigint), cast(?${own + 2} as bigint), '[]'
      from ${from} where true
      on conflict (webhook_id, event_id) do update set status = 'pending', due_at = excluded.due_at`,
      [...parameters, webhookId, now],
    )
    return true
  },
})

/** One request of a delivery, as it is stored and shown. */
export type Attempt = {
  attemptedAt: string
  durationMs: number
  responseStatus?: number
  responseBody?: string
  error?: string
}

/** A delivery that is to be attempted. */
export type Due = { id: bigint; eventId: bigint; eventType: string; attempts: readonly Attempt[] }

type DueInput = { webhookId: bigint; now: number; limit: number }

/** The deliveries that are due, the oldest first. */
export const selectDue: Query<DueInput, readonly Due[]> = {
  key: ({ webhookId, now, limit }) => `${webhookId} ${now} ${limit}`,
  async run(sql, inputs) {
    const found: Due[][] = []
    for (const { webhookId, now, limit } of inputs) {
      const rows = await sql.all<[bigint, bigint, string, string]>(
        `select id, event_id, event_type, attempts from webhook_deliveries
        where webhook_id = ?1 and due_at is not null and due_at <= ?2 order by due_at limit ?3 + 0`,
        [webhookId, now, limit],
      )
      found.push(
        rows.map(([id, eventId, eventType, attempts]) => {
          return { id, eventId, eventType, attempts: parseJson(attempts) as Attempt[] }
        }),
      )
    }
    return found
  },
}

/** When the delivery that waits longest for its attempt became due, or will; undefined where none waits. */
export const selectOldestDue: Query<undefined, number | undefined> = {
  key: () => '',
  async run(sql, inputs) {
    const [row] = await sql.all<[bigint | null]>(
      `select min(
        (select min(due_at) from webhook_deliveries where webhook_id = webhooks.id and due_at is not null)
      ) from webhooks where status = 'enabled' and exists (select 1 from webhooks_resumed)`,
    )
    const dueAt = row?.[0] ?? undefined
    return inputs.map(() => (dueAt === undefined ? undefined : Number(dueAt)))
  },
}

/** What became of an attempt: the delivery as it is afterwards. */
export type Result = {
  id: bigint
  status: 'pending' | 'succeeded' | 'failed' | 'lost'
  dueAt: number | undefined
  attempts: readonly Attempt[]
}

type Results = {
  webhookId: bigint
  fence: bigint
  now: number
  results: readonly Result[]
  hasSucceeded: boolean
  hasFailed: boolean
  /** The receiver has responded that it will never take anything. */
  isGone: boolean
}

/**
 * Stores the results of attempts, and disables a webhook that is gone or has failed for too long. Returns false, and stores
 * nothing, where another process holds the webhook.
 */
export const updateDeliveries = oneByOne<Results, boolean>({
  name: 'updateWebhookDeliveries',
  rowOf: ({ webhookId }) => webhookId,
  async run(sql, input) {
    const { webhookId, fence, now, results, hasSucceeded, hasFailed, isGone } = input
    const webhook = hasFailed ? await findWebhookRow(sql, webhookId) : undefined
    const [queue] = await sql.all<[bigint | null]>(
      `select failing_since from webhook_queues where webhook_id = ?1 and fence = ?2${sql.forUpdate}`,
      [webhookId, fence],
    )
    if (!queue) return false
    await storeResults(sql, results)
    const [failingSince] = queue
    const failing = hasSucceeded ? null : hasFailed ? (failingSince ?? BigInt(now)) : failingSince
    if (failing !== failingSince) {
      await sql.all('update webhook_queues set failing_since = ?2 where webhook_id = ?1', [
        webhookId,
        failing,
      ])
    }
    if (hasSucceeded) await deleteSurplus(sql, webhookId)
    const isFailing = failing !== null && BigInt(now) - failing >= BigInt(failingMaxMs)
    if (webhook && webhook.status !== 'disabled' && (isGone || isFailing)) {
      const disabledReason = isGone ? 'gone' : 'failing'
      const disabled = { ...webhook, status: 'disabled', disabledReason } as const
      await updateWebhookRow(sql, disabled)
      sql.record(input, {
        type: 'webhook.disabled',
        record: 'webhook',
        id: webhookId,
        data: webhookRecord(disabled),
        before: webhookRecord(webhook),
      })
    }
    return true
  },
})

async function storeResults(sql: Sql, results: readonly Result[]) {
  const { from, parameters } = sql.rows(
    [
      { name: 'id', type: 'bigint' },
      { name: 'status', type: 'text' },
      { name: 'due_at', type: 'bigint' },
      { name: 'attempts', type: 'text' },
    ],
    results.map(({ id, status, dueAt, attempts }) => [
      ...[id, status, dueAt ?? null, stringifyJson(attempts)],
    ]),
  )
  await sql.all(
    `update webhook_deliveries set status = input.status, due_at = input.due_at, attempts = input.attempts
    from ${from} where webhook_deliveries.id = input.id`,
    parameters,
  )
}

async function deleteSurplus(sql: Sql, webhookId: bigint) {
  const ofWebhook = "webhook_id = ?1 and status = 'succeeded'"
  await sql.all(
    `delete from webhook_deliveries where ${ofWebhook} and id <= (
      select id from webhook_deliveries where ${ofWebhook} order by id desc limit 1 offset ${succeededMax}
    )`,
    [webhookId],
  )
}

/** Deletes the next deliveries that are too old, or whose webhook is deleted; returns whether more may be left. */
export const pruneDeliveries = oneByOne<{ createdUntil: number }, boolean>({
  name: 'pruneWebhookDeliveries',
  async run(sql, { createdUntil }) {
    const doomed = await selectPrunable(sql, createdUntil)
    if (doomed.length === 0) return false
    await sql.all(`delete from webhook_deliveries where ${sql.isAnyOf('id', '?1')}`, [
      sql.set(doomed),
    ])
    return doomed.length === prunedMax
  },
})

/** Whether there is something to prune, without a write. */
export const selectIsPrunable: Query<number, boolean> = {
  key: String,
  async run(sql, inputs) {
    const found: boolean[] = []
    for (const createdUntil of inputs)
      found.push((await selectPrunable(sql, createdUntil)).length > 0)
    return found
  },
}

/** Ids ascend with the time of creation. The webhooks of deliveries are found in steps of one per webhook. */
async function selectPrunable(sql: Sql, createdUntil: number): Promise<bigint[]> {
  const old = await sql.all<[bigint]>(
    `select id from (select id, created_at from webhook_deliveries order by id limit ${prunedMax}) as oldest
    where created_at <= ?1`,
    [createdUntil],
  )
  const first = 'select min(webhook_id) as id from webhook_deliveries'
  const orphans = await sql.all<[bigint]>(
    `with recursive owners as (
      ${first} union all select (${first} where webhook_id > owners.id) from owners where id is not null
    )
    select id from webhook_deliveries where webhook_id = (
      select min(id) from owners where not exists (select 1 from webhooks where webhooks.id = owners.id)
    ) order by id limit ${prunedMax - old.length}`,
  )
  return [...old, ...orphans].map(([id]) => id)
}
