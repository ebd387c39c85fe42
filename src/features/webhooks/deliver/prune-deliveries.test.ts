import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { runJobs } from '../../../app/jobs.ts'
import { queryOnce } from '../../../db/rows.ts'

const dayMs = 86_400_000

/** The events of all deliveries of a store. */
const selectEventIds = queryOnce(async (sql) => {
  const rows = await sql.all<[bigint]>('select event_id from webhook_deliveries order by id')
  return rows.map(([eventId]) => Number(eventId))
})

it('deliveries are deleted after 30 days, whatever became of them, and those of a deleted webhook; others stay', async () => {
  const { api, context, clock } = await startApp()
  for (const url of ['https://shop.example/', 'https://mail.example/'])
    await api.post('/v1/webhooks', { url })
  const leftAfter = async (ms: number) => {
    clock.ms += ms
    await runJobs(context)
    return context.db.read(selectEventIds, undefined)
  }
  const add = (webhookId: bigint, eventId: bigint, status: 'succeeded' | 'failed' | 'pending') =>
    api.addDelivery({ webhookId, eventId, status })
  await add(1n, 1n, 'succeeded')
  await add(1n, 2n, 'failed')
  await add(2n, 3n, 'pending')
  clock.ms += 1
  await add(1n, 4n, 'pending')
  await add(2n, 5n, 'succeeded')

  assert.deepEqual(await leftAfter(30 * dayMs - 2), [1, 2, 3, 4, 5])
  assert.deepEqual(await leftAfter(1), [4, 5])
  assert.equal((await api.send('DELETE', '/v1/webhooks/2')).status, 204)
  assert.deepEqual(await leftAfter(0), [4])
})
