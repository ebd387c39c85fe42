import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
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

it('a 410 of the address before a change does not disable the webhook: its delivery goes to the new one', async (t) => {
  const app = await startApp({ settings: { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8' } })
  await app.startJobs()
  const held: ServerResponse[] = []
  const [old, next] = [await aReceiver(t, (_, response) => hold(response)), await aReceiver(t)]
  function hold(response: ServerResponse) {
    held.push(response)
    return 'never' as const
  }
  await app.api.post('/v1/webhooks', { url: old.url, types: ['pet.created'] })
  await app.api.createPet()
  await until(() => held.length === 1)

  await app.api.send('PATCH', '/v1/webhooks/1', { body: { url: next.url } })
  await app.api.createPet()
  await until(() => next.received.length === 1)
  held[0]?.writeHead(410).end()

  type Shown = { status: string; attempts: { responseStatus?: number }[] }
  const first = async () =>
    ((await app.api.get('/v1/webhooks/1/deliveries')).json() as Shown[])[0] as Shown
  await until(async () => (await first()).attempts.length === 1)
  assert.equal((await first()).status, 'pending')
  app.clock.ms += 6_000
  await until(() => next.received.length === 2)
  const webhook = (await app.api.get('/v1/webhooks/1')).json() as { status: string }
  assert.equal(webhook.status, 'enabled')
})
