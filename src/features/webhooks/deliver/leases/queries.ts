import { readSound } from '../../../../db/damaged-row.ts'
import { oneByOne, type Query, type Row, type Sql } from '../../../../db/db.ts'
import { columns, type StoredWebhook, webhookOf } from '../../queries.ts'

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
      // A damaged one does not stop the others.
      work.push(readSound(rows, workOf))
    }
    return work
  },
}

/** Nobody holds it, or its process has ended. A lease that ends too late is of before the clock was set back. */
const isFree = ({ now }: Sql) => `lease_ends_at <= ${now} or lease_ends_at > ${now} + ${leaseMs}`

function workOf([position, fence, dueAt, isHeld, isFree, ...webhook]: Row): Work {
  return {
    ...webhookOf(webhook),
    ...{ position: position as bigint, fence: fence as bigint },
    dueAt: dueAt === null ? undefined : Number(dueAt),
    ...{ isHeld: isHeld === 1n, isFree: isFree === 1n },
  }
}

/** Renews the leases of a process, and takes webhooks that nobody sends for, this many at most: other processes take others. */
export const holdLeases = oneByOne<{ holder: string; max: number }, null>({
  name: 'holdWebhookLeases',
  async run(sql, { holder, max }) {
    const update = `update webhook_queues set lease_ends_at = ${sql.now} + ${leaseMs}`
    const inOrder = (condition: string, limit = '') =>
      `where webhook_id in (select webhook_id from webhook_queues
        where ${condition} order by webhook_id${limit}${sql.forUpdate})`
    await sql.all(`${update} ${inOrder(`lease_holder = ?1 and not (${isFree(sql)})`)}`, [holder])
    const isToBeTaken = `(${isFree(sql)}) and webhook_id in (select id from webhooks where status <> 'disabled')`
    await sql.all(
      `${update}, lease_holder = ?1, fence = fence + 1 ${inOrder(isToBeTaken, ' limit ?2 + 0')}`,
      [holder, max],
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
