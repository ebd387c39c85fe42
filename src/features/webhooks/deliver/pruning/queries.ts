import { oneByOne, type Sql } from '../../../../db/db.ts'

const prunedMax = 500

/** Deletes the next deliveries that are too old, or whose webhook is deleted; returns whether more may be left. */
export const pruneDeliveries = oneByOne<number, boolean>({
  name: 'pruneWebhookDeliveries',
  async run(sql, createdUntil) {
    const doomed = await selectPrunable(sql, createdUntil)
    if (doomed.length > 0)
      await sql.all(`delete from webhook_deliveries where ${sql.isAnyOf('id', '?1')}`, [
        sql.set(doomed),
      ])
    return doomed.length === prunedMax
  },
})

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
    ) order by event_id limit ${prunedMax - old.length}`,
  )
  return [...old, ...orphans].map(([id]) => id)
}
