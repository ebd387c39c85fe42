import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApp } from '../../../../test/harness/app.ts'
import { itInFull } from '../../../../test/harness/extent.ts'
import { aReceiver, idsOf } from '../../../../test/harness/receiver.ts'
import {
  createWebhook,
  deliveriesOf,
  get,
  hourMs,
  startSending,
  untilAll,
  untilAttempted,
} from '../../../../test/harness/sending.ts'
import { until } from '../../../../test/harness/until.ts'
import { runJobs } from '../../../app/jobs.ts'
import { queryOnce } from '../../../db/records/rows.ts'

const types = ['pet.created']

/** Rejects the writes of this name; returns how many it has rejected, and what ends that. */
function failWrites({ context: { db } }: TestApp, name: string) {
  const { write } = db
  const failing = { count: 0, end: () => Object.assign(db, { write }) }
  const replaced: typeof write = (named, ...rest) => {
    if (named.name !== name) return write(named, ...rest)
    failing.count += 1
    return Promise.reject(new Error('The disk is full.'))
  }
  Object.assign(db, { write: replaced })
  return failing
}

itInFull(
  'while events cannot become deliveries, what is due is sent; then each is sent once; attempts are seconds apart',
  async (t) => {
    const app = await startSending()
    const receiver = await aReceiver(t)
    const webhook = await createWebhook(app, { url: receiver.url, types })
    await app.api.createPet()
    await untilAll(app, webhook, 'succeeded', 1)
    const failing = failWrites(app, 'fanOutEvents')
    const startMs = performance.now()

    await app.api.createPet()
    await app.api.post(`/v1/webhooks/${webhook.id}/deliveries/1/retry`, undefined)
    await until(() => receiver.received.length === 2 && failing.count >= 2)

    assert.ok(failing.count <= 2 + (performance.now() - startMs) / 500, String(failing.count))
    failing.end()
    await untilAll(app, webhook, 'succeeded', 2)
    assert.deepEqual([receiver.received.length, idsOf(receiver.received).length], [3, 2])
  },
)

it('no event is deleted before it has become a delivery; later the delivery has failed with the event', async (t) => {
  const app = await startApp({ settings: { PETSTORE_EVENTS_KEEP_DAYS: '1' } })
  const receiver = await aReceiver(t, () => ({ status: 500 }))
  const webhook = await createWebhook(app, { url: receiver.url, types })
  await app.api.createPet()
  await app.api.createPet()
  app.clock.ms += 2 * 24 * hourMs
  await runJobs(app.context)
  assert.equal((await get<object[]>(app, '/events?type=pet.created')).length, 2)

  await app.startJobs()
  await until(() => receiver.received.length === 2)
  await runJobs(app.context)
  assert.equal((await get<object[]>(app, '/events?type=pet.created')).length, 1)
  app.clock.ms += hourMs

  await untilAll(app, webhook, 'failed', 1)
  const [{ attempts } = assert.fail()] = await deliveriesOf(app, webhook, '&status=failed')
  assert.equal(
    attempts.at(-1)?.error,
    'The event was deleted before it could be delivered, or is damaged.',
  )
})

it('a webhook gets the events after it, also where those before it have yet to become deliveries', async (t) => {
  const app = await startApp()
  const [old, young] = [await aReceiver(t), await aReceiver(t)]
  await createWebhook(app, { url: old.url, types })
  await app.api.createPet()
  await createWebhook(app, { url: young.url, types })
  const { id } = await app.api.createPet()

  await app.startJobs()

  await until(() => old.received.length === 2 && young.received.length > 0)
  assert.deepEqual(
    young.received.map(({ text }) => JSON.parse(text).data.id),
    [id],
  )
})

/** Adds so many events of new pets to the log. */
const insertEvents = (count: number) =>
  queryOnce(async (sql) => {
    await sql.all(
      `with recursive numbers(number) as (
        select 1 union all select number + 1 from numbers where number < ${count}
      )
      insert into events (type, record, record_id, created_at, data, actor)
      select 'pet.created', 'pet', number, 0, '{}', '{}' from numbers`,
    )
  })

itInFull(
  '1,200 events become deliveries in steps, and a pause ends a replay, which goes on from there',
  async (t) => {
    const app = await startSending()
    const receiver = await aReceiver(t)
    const webhook = await createWebhook(app, { url: receiver.url, types })
    const path = `/v1/webhooks/${webhook.id}`
    const setStatus = (status: string) => app.api.send('PATCH', path, { body: { status } })
    await app.context.db.read(insertEvents(1_200), undefined)
    await until(() => idsOf(receiver.received).length === 1_200)
    await untilAll(app, webhook, 'pending', 0)
    assert.equal(receiver.received.length, 1_200)

    assert.equal((await app.api.post(`${path}/replay`, { after: 1 })).status, 204)
    const { missedAfter } = (await setStatus('paused')).json() as { missedAfter: number }
    await setStatus('enabled')
    assert.equal((await app.api.post(`${path}/replay`, { after: missedAfter })).status, 204)

    await until(() => receiver.received.length >= 2_400)
    assert.equal(idsOf(receiver.received).length, 1_200)
  },
)

it('a damaged event is passed over: those behind it are sent', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types })
  const damage = queryOnce(async (sql) => {
    await sql.all("update events set data = '{' where type = 'pet.created'")
  })
  const failing = failWrites(app, 'fanOutEvents')
  await app.api.createPet()
  await app.context.db.read(damage, undefined)
  await app.api.createPet()
  failing.end()

  await untilAttempted(app, webhook, 1)
  await until(() => receiver.received.length === 1)
  await untilAll(app, webhook, 'failed', 1)
})
