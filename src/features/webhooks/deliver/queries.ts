import { parseJson, stringifyJson } from '../../../contract/int64-json.ts'
import { defineWrite, type Query, type Sql, type Tx } from '../../../db/db.ts'
import { findWebhookRow, type StoredWebhook, updateWebhookRow, webhookRecord } from '../queries.ts'
import { failingMaxMs } from './schedule.ts'

/** The succeeded deliveries of a webhook that are kept. */
const succeededMax = 100

type NewDeliveries = {
  webhookId: bigint
  fence: bigint
  /** The position before these events, and behind them. */
  from: bigint
  to: bigint
  now: number
  events: readonly NewDelivery[]
}

/** An event to send; with `lost`, why none of the events up to it can be sent. */
export type NewDelivery = { id: bigint; type: string; lost?: Attempt }

/**
 * Makes events due for webhooks, and moves their positions behind them. Returns false, and stores nothing, where another
 * process holds the webhook, or its position was moved.
 */
export const insertDeliveries = defineWrite<NewDeliveries, boolean>({
  name: 'insertWebhookDeliveries',
  rowOf: ({ webhookId }) => webhookId,
  async run(sql, inputs) {
    const moved = await moveQueues(sql, inputs)
    const stored = inputs.filter((input) => moved.has(leaseOf(input)))
    const { from, parameters } = sql.rows(
      [
        ...(['webhook_id', 'event_id', 'created_at', 'due_at'] as const).map(int64),
        ...(['event_type', 'status', 'attempts'] as const).map(text),
      ],
      stored.flatMap(({ webhookId, now, events }) =>
        events.map(({ id, type, lost }) =>
          lost
            ? [webhookId, id, now, null, type, 'lost', stringifyJson([lost])]
            : [webhookId, id, now, now, type, 'pending', '[]'],
        ),
      ),
    )
    // Rows that exist are those of a replay.
    if (stored.some(({ events }) => events.length > 0))
      await sql.all(
        `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts)
        select webhook_id, event_id, event_type, status, created_at, due_at, attempts from ${from} where true
        on conflict (webhook_id, event_id) do update set status = 'pending', due_at = excluded.due_at
        where excluded.due_at is not null`,
        parameters,
      )
    return inputs.map((input) => ({ value: moved.has(leaseOf(input)) }))
  },
})

const int64 = (name: string) => ({ name, type: 'bigint' }) as const
const text = (name: string) => ({ name, type: 'text' }) as const

/** Two inputs of one webhook have different fences: at most one is valid. */
const leaseOf = ({ webhookId, fence }: { webhookId: bigint; fence: bigint }) =>
  `${webhookId} ${fence}`

/** Moves the queues that are where their holders say; returns their leases. */
async function moveQueues(sql: Sql, inputs: readonly NewDeliveries[]): Promise<Set<string>> {
  await lockQueues(sql, inputs)
  const { from, parameters } = sql.rows(
    (['id', 'old_fence', 'old_position', 'new_position'] as const).map(int64),
    inputs.map(({ webhookId, fence, from: before, to }) => [webhookId, fence, before, to]),
  )
  const moved = await sql.all<[bigint, bigint]>(
    `update webhook_queues set position = new_position from ${from}
    where webhook_id = input.id and fence = old_fence and position = old_position returning webhook_id, fence`,
    parameters,
  )
  return new Set(moved.map(([webhookId, fence]) => leaseOf({ webhookId, fence })))
}

/** The queues of webhooks, locked in the order of ids: since when each fails, by lease. */
async function lockQueues(
  sql: Sql,
  inputs: readonly { webhookId: bigint }[],
): Promise<Map<string, bigint | null>> {
  const rows = await sql.all<[bigint, bigint, bigint | null]>(
    `select webhook_id, fence, failing_since from webhook_queues where ${sql.isAnyOf('webhook_id', '?1')}
    order by webhook_id${sql.forUpdate}`,
    [sql.set(inputs.map(({ webhookId }) => webhookId))],
  )
  return new Map(
    rows.map(([webhookId, fence, failing]) => [leaseOf({ webhookId, fence }), failing]),
  )
}

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
  /** Whether the webhook may have to be disabled: it is gone, or has failed for long. */
  mayDisable: boolean
}

/**
 * Stores the results of attempts, and disables webhooks that are gone or have failed for too long. Returns false, and stores
 * nothing, where another process holds the webhook.
 */
export const updateDeliveries = defineWrite<Results, boolean>({
  name: 'updateWebhookDeliveries',
  rowOf: ({ webhookId }) => webhookId,
  async run(sql, inputs) {
    // As all that lock both: a webhook before its queue.
    const webhooks = new Map<bigint, StoredWebhook | undefined>()
    const doubted = inputs.filter(({ mayDisable }) => mayDisable).map(({ webhookId }) => webhookId)
    for (const id of doubted.toSorted((a, b) => Number(a - b)))
      webhooks.set(id, await findWebhookRow(sql, id))
    const queues = await lockQueues(sql, inputs)
    const held = inputs.filter((input) => queues.has(leaseOf(input)))
    await storeResults(
      sql,
      held.flatMap(({ results }) => results),
    )
    const failing = held.map((input) => ({
      input,
      ...failingOf(input, queues.get(leaseOf(input)) ?? null),
    }))
    await storeFailing(
      sql,
      failing.filter(({ isChanged }) => isChanged),
    )
    await deleteSurplus(
      sql,
      held.filter(({ hasSucceeded }) => hasSucceeded).map(({ webhookId }) => webhookId),
    )
    for (const { input, since } of failing) {
      const webhook = webhooks.get(input.webhookId)
      const isFailing = since !== null && BigInt(input.now) - since >= BigInt(failingMaxMs)
      if (webhook && webhook.status !== 'disabled' && (input.isGone || isFailing))
        await disable(sql, input, webhook)
    }
    return inputs.map((input) => ({ value: queues.has(leaseOf(input)) }))
  },
})

/** Since when a webhook fails: the first failed attempt after the last that succeeded. */
function failingOf({ hasSucceeded, hasFailed, now }: Results, before: bigint | null) {
  const since = hasSucceeded ? null : hasFailed ? (before ?? BigInt(now)) : before
  return { since, isChanged: since !== before }
}

async function storeFailing(
  sql: Sql,
  failing: readonly { input: Results; since: bigint | null }[],
) {
  if (failing.length === 0) return
  const { from, parameters } = sql.rows(
    [int64('id'), int64('since')],
    failing.map(({ input, since }) => [input.webhookId, since]),
  )
  await sql.all(
    `update webhook_queues set failing_since = since from ${from} where webhook_id = input.id`,
    parameters,
  )
}

async function disable(tx: Tx, input: Results, webhook: StoredWebhook) {
  const disabledReason = input.isGone ? 'gone' : 'failing'
  const disabled = { ...webhook, status: 'disabled', disabledReason } as const
  await updateWebhookRow(tx, disabled)
  tx.record(input, {
    type: 'webhook.disabled',
    record: 'webhook',
    id: webhook.id,
    data: webhookRecord(disabled),
    before: webhookRecord(webhook),
  })
}

async function storeResults(sql: Sql, results: readonly Result[]) {
  if (results.length === 0) return
  const { from, parameters } = sql.rows(
    [int64('id'), text('status'), int64('due_at'), text('attempts')],
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

async function deleteSurplus(sql: Sql, webhookIds: readonly bigint[]) {
  if (webhookIds.length === 0) return
  const { from, parameters } = sql.rows(
    [int64('owner')],
    webhookIds.map((id) => [id]),
  )
  const ofOwner = "webhook_id = input.owner and status = 'succeeded'"
  await sql.all(
    `delete from webhook_deliveries where id in (
      select id from ${from} join webhook_deliveries on ${ofOwner} and id <= (
        select id from webhook_deliveries where ${ofOwner} order by id desc limit 1 offset ${succeededMax}
      )
    )`,
    parameters,
  )
}
