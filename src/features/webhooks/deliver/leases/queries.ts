import { readSound } from '../../../../db/damaged-row.ts'
import { oneByOne, type Row, type Sql } from '../../../../db/db.ts'
import { queryOnce } from '../../../../db/rows.ts'
import { type StoredWebhook, webhooks } from '../../queries.ts'

/** How long a process may send for a webhook without renewing its lease, on the clock of the database. */
export const leaseMs = 8_000
/** Webhooks that are taken at once, so that processes which start together share them. */
const takenMax = 5

/** A webhook that is not disabled, and how far its deliveries are. */
export type Work = StoredWebhook & {
  position: bigint
  fence: bigint
  /** When its next attempt is due, in milliseconds since 1970. */
  dueAt: number | undefined
  /** The process that sends for it; undefined where none does, or it has ended. */
  holder: string | undefined
}

/** The webhooks of a store that sends. A damaged one does not stop the others. */
export const selectWork = queryOnce(async (sql) => {
  const rows = await sql.all(
    `select position, fence,
      (select min(due_at) from webhook_deliveries where webhook_id = webhooks.id and due_at is not null),
      case when not (${isFree(sql)}) then lease_holder end, ${webhooks.columns}
    from webhooks join webhook_queues on webhook_id = id
    where status <> 'disabled' and exists (select 1 from webhooks_resumed) order by id`,
  )
  return readSound(rows, workOf)
})

function workOf([position, fence, dueAt, holder, ...row]: Row): Work {
  return {
    ...webhooks.itemOf(row),
    ...{ position: position as bigint, fence: fence as bigint },
    dueAt: dueAt === null ? undefined : Number(dueAt),
    holder: (holder as string | null) ?? undefined,
  }
}

/** Renews the leases of a process, and takes some of the webhooks that nobody sends for. */
export const holdLeases = oneByOne<string, null>({
  name: 'holdWebhookLeases',
  async run(sql, holder) {
    const hold = (set: string, found: string) =>
      sql.all(
        `update webhook_queues set lease_ends_at = ${sql.now} + ${leaseMs}${set} where webhook_id in (
          select webhook_id from webhook_queues where ${found}${sql.forUpdate}
        )`,
        [holder],
      )
    await hold('', `lease_holder = ?1 and not (${isFree(sql)}) order by webhook_id`)
    await hold(
      ', lease_holder = ?1, fence = fence + 1',
      `(${isFree(sql)}) and webhook_id in (select id from webhooks where status <> 'disabled')
      order by webhook_id limit ${takenMax}`,
    )
    return null
  },
})

/** Nobody holds it, or its process has ended. A lease that ends too late is of before the clock was set back. */
function isFree({ now }: Sql): string {
  return `lease_ends_at <= ${now} or lease_ends_at > ${now} + ${leaseMs}`
}

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
