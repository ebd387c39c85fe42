import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { aReceiver, idsOf } from '../../../../test/harness/receiver.ts'
import { until } from '../../../../test/harness/until.ts'

it('events that could not be stored as deliveries are read and stored again, and sent once', async (t) => {
  const app = await startApp({ settings: { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8' } })
  await app.startJobs()
  const receiver = await aReceiver(t)
  await app.api.post('/v1/webhooks', { url: receiver.url, types: ['pet.created'] })
  const { write } = app.context.db
  let failures = 0
  const failing: typeof write = (named, ...rest) => {
    if (named.name !== 'insertWebhookDeliveries') return write(named, ...rest)
    failures += 1
    return Promise.reject(new Error('The connection was lost.'))
  }
  Object.assign(app.context.db, { write: failing })
  await app.api.createPet()
  await until(() => failures >= 2)

  Object.assign(app.context.db, { write })
  await app.api.createPet()

  await until(() => receiver.received.length >= 2)
  assert.deepEqual([receiver.received.length, idsOf(receiver.received).length], [2, 2])
})
