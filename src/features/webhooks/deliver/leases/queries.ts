import { oneByOne, type Query, type Row, type Sql } from '../../../../db/db.ts'
import { columns, type StoredWebhook, storedWebhook } from '../../queries.ts'

/** How long a process may send for a webhook without renewing its lease, on the clock of the database. */
export const leaseMs = 8_000

/** A webhook that is not disabled, and how far its deliveries are. */
export type Work = StoredWebhook & {
  position: bigint
  fence: bigint
  /** When its next attempt is due, in milliseconds since 1970. */
  dueAt: number | undefined
  isHeld: boolean
  isFree: boolean
}

/** The webhooks of a store that sends. An input is the process that asks. */
export const selectWork: Query<string, readonly Work[]> = {
  key: (holder) => holder,
  async run(sql, holders) {
    const work: (readonly Work[])[] = []
    for (const holder of holders) {
      const rows = await sql.all(
        `select position, fence,
          (select min(due_at) from webhook_deliveries where webhook_id = webhooks.id and due_at is not null),
          case when lease_holder = ?1 and not (${isFree(sql)}) then 1 else 0 end,
          case when ${isFree(sql)} then 1 else 0 end, ${columns}
        from webhooks join webhook_queues on webhook_id = id
        where status <> 'disabled' and exists (select 1 from webhooks_resumed) order by id`,
        [holder],
      )
      work.push(rows.map(workOf))
    }
    return work
  },
}

/** Nobody holds it, or its process has ended. A lease that ends too late is of before the clock was set back. */
const isFree = ({ now }: Sql) => `lease_ends_at <= ${now} or lease_ends_at > ${now} + ${leaseMs}`

function workOf([position, fence, dueAt, isHeld, isFree, ...webhook]: Row): Work {
  return {
    ...storedWebhook(webhook),
    ...{ position: position as bigint, fence: fence as bigint },
    dueAt: dueAt === null ? undefined : Number(dueAt),
    ...{ isHeld: isHeld === 1n, isFree: isFree === 1n },
  }
}

/** Takes the webhooks that nobody sends for, this many at most: other processes may take others. */
export const takeLeases = oneByOne<{ holder: string; max: number }, null>({
  name: 'takeWebhookLeases',
  async run(sql, { holder, max }) {
    await sql.all(
      `update webhook_queues set lease_holder = ?1, lease_ends_at = ${sql.now} + ${leaseMs}, fence = fence + 1
      where webhook_id in (select webhook_id from webhook_queues
        where (${isFree(sql)}) and webhook_id in (select id from webhooks where status <> 'disabled')
        order by webhook_id limit ?2 + 0${sql.forUpdate})`,
      [holder, max],
    )
    return null
  },
})

export const renewLeases = oneByOne<string, null>({
  name: 'renewWebhookLeases',
  async run(sql, holder) {
    await sql.all(
      `update webhook_queues set lease_ends_at = ${sql.now} + ${leaseMs}
      where webhook_id in (select webhook_id from webhook_queues
        where lease_holder = ?1 and lease_ends_at > ${sql.now} order by webhook_id${sql.forUpdate})`,
      [holder],
    )
    return null
  },
})

export const releaseLeases = oneByOne<string, null>({
  name: 'releaseWebhookLeases',
  async run(sql, holder) {
    await sql.all(
      'update webhook_queues set lease_holder = null, lease_ends_at = 0 where lease_holder = ?1',
      [holder],
    )
    return null
  },
})
