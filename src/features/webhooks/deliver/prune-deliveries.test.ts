import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { runJobs } from '../../../app/jobs.ts'
import { queryOnce } from '../../../db/records/rows.ts'
import { selectBacklog } from './queries.ts'

const dayMs = 86_400_000

/** The events of all deliveries of a store. */
const selectEventIds = queryOnce(async (sql) => {
  const rows = await sql.all<[bigint]>('select event_id from webhook_deliveries order by id')
  return rows.map(([eventId]) => Number(eventId))
})

async function startWithWebhooks(settings: Record<string, string> = {}) {
  const app = await startApp({ settings })
  for (const url of ['https://shop.example/', 'https://mail.example/'])
    await app.api.post('/v1/webhooks', { url })
  const left = async () => {
    await runJobs(app.context)
    return app.context.db.read(selectEventIds, undefined)
  }
  type Status = 'succeeded' | 'failed' | 'pending'
  const add = (webhookId: bigint, eventId: bigint, status: Status) =>
    app.api.addDelivery({ webhookId, eventId, status })
  return { ...app, left, add }
}

it('deliveries are deleted after 30 days, whatever became of them, and those of a deleted webhook; others stay', async () => {
  const { api, clock, left, add } = await startWithWebhooks()
  await add(1n, 1n, 'succeeded')
  await add(1n, 2n, 'failed')
  await add(2n, 3n, 'pending')
  clock.ms += 1
  await add(1n, 4n, 'pending')
  await add(2n, 5n, 'succeeded')

  clock.ms += 30 * dayMs - 2
  assert.deepEqual(await left(), [1, 2, 3, 4, 5])
  clock.ms += 1
  assert.deepEqual(await left(), [4, 5])
  assert.equal((await api.send('DELETE', '/v1/webhooks/2')).status, 204)
  assert.deepEqual(await left(), [4])
})

it('beyond the number that is kept, the oldest that succeeded are deleted, then failed ones, then others; these are counted', async () => {
  const { context, left, add } = await startWithWebhooks({ PETSTORE_DELIVERIES_MAX: '1000' })
  const fill = (first: number, count: number) =>
    queryOnce(async (sql) => {
      await sql.all(
        `with recursive numbers(number) as (select ?1 + 0 union all select number + 1 from numbers where number < ?2 + 0)
        insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts)
        select 1, number, 'pet.created', 'pending', cast(?3 as bigint), cast(?3 as bigint), '[]' from numbers`,
        [first, first + count - 1, context.clock()],
      )
    })
  await add(2n, 1n, 'pending')
  await add(1n, 2n, 'failed')
  await add(2n, 3n, 'succeeded')
  await add(1n, 4n, 'succeeded')
  await context.db.read(fill(10, 997), undefined)
  const pruned = async () => (await context.db.read(selectBacklog, undefined)).pruned

  assert.deepEqual([(await left()).slice(0, 4), await pruned()], [[1, 2, 4, 10], 0])
  await context.db.read(fill(2_000, 2), undefined)
  assert.deepEqual([(await left()).slice(0, 3), await pruned()], [[1, 10, 11], 1])
  await context.db.read(fill(3_000, 602), undefined)

  const kept = await left()
  assert.deepEqual([kept.length, kept[0], await pruned()], [1_000, 611, 603])
})
