import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { aReceiver } from '../../../../test/harness/receiver.ts'
import {
  createWebhook,
  deliveriesOf,
  get,
  hourMs,
  startSending,
  untilAll,
  untilAttempted,
} from '../../../../test/harness/sending.ts'
import { runJobs } from '../../../app/jobs.ts'

it('a pending delivery whose event is deleted is lost, and told as such', async (t) => {
  const app = await startSending({ PETSTORE_EVENTS_KEEP_DAYS: '1' })
  const receiver = await aReceiver(t, () => ({ status: 500 }))
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()
  await untilAttempted(app, webhook, 1)
  await app.api.createPet()

  app.clock.ms += 2 * 24 * hourMs
  await runJobs(app.context)
  // An attempt may have begun before the event was deleted; the next one is due within the hour.
  app.clock.ms += hourMs

  await untilAll(app, webhook, 'lost', 1)
})

it('events that were deleted before they became deliveries are listed as lost', async (t) => {
  const app = await startApp({ settings: { PETSTORE_EVENTS_KEEP_DAYS: '1' } })
  const receiver = await aReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const [{ id: created }] = await get<[{ id: number }]>(app, '/events?sort=-id&limit=1')
  await app.api.createPet()
  const [{ id: last }] = await get<[{ id: number }]>(app, '/events?sort=-id&limit=1')
  app.clock.ms += 2 * 24 * hourMs
  await runJobs(app.context)
  await app.api.createPet()

  await app.startJobs()
  await untilAll(app, webhook, 'succeeded', 1)

  const [lost] = await deliveriesOf(app, webhook, '&status=lost')
  assert.deepEqual([lost?.eventType, lost?.eventId], ['events.lost', last])
  assert.equal(
    lost?.attempts[0]?.error,
    `The events after ${created - 1} up to ${last} were deleted before they could be sent.`,
  )
  assert.equal(receiver.received.length, 1)
})

it('where the last deleted event has been delivered, its delivery stays, and later events are sent', async (t) => {
  const app = await startApp({ settings: { PETSTORE_EVENTS_KEEP_DAYS: '1' } })
  const receiver = await aReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()
  const [{ id: last }] = await get<[{ id: number }]>(app, '/events?sort=-id&limit=1')
  await app.api.addDelivery({ webhookId: BigInt(webhook.id), eventId: BigInt(last) })
  app.clock.ms += 2 * 24 * hourMs
  await runJobs(app.context)
  await app.api.createPet()

  await app.startJobs()
  await untilAll(app, webhook, 'succeeded', 2)

  assert.deepEqual(await deliveriesOf(app, webhook, '&status=lost'), [])
  assert.equal(receiver.received.length, 1)
})
