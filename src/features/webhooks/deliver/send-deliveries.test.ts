import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../../../test/harness/app.ts'
import { aReceiver } from '../../../../test/harness/receiver.ts'
import {
  createWebhook,
  deliveriesOf,
  get,
  startSending,
  untilAll,
  untilAttempted,
} from '../../../../test/harness/sending.ts'
import { until } from '../../../../test/harness/until.ts'
import { queryOnce } from '../../../db/records/rows.ts'
import { exchangeDeliveries } from './exchange-deliveries.ts'
import { unsentResult } from './result-of.ts'

/** A receiver that responds when the test says so. */
async function aSlowReceiver(t: TestContext) {
  const held: ServerResponse[] = []
  const receiver = await aReceiver(t, (_, response) => {
    held.push(response)
    return 'never'
  })
  return { ...receiver, held, respond: (status: number) => held.shift()?.writeHead(status).end() }
}

it('a 410 of the address before a change does not disable the webhook: its delivery goes to the new one', async (t) => {
  const app = await startSending()
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

it('a retry that is asked for during an attempt is made, whatever comes of that', async (t) => {
  const app = await startSending()
  const receiver = await aSlowReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()
  await until(() => receiver.held.length === 1)
  const [delivery] = await deliveriesOf(app, webhook)
  const retry = () =>
    app.api.post(`/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}/retry`, undefined)

  for (const status of [204, 500]) {
    assert.equal((await retry()).status, 200)
    await until(() => receiver.held.length === 2)
    receiver.respond(status)
  }
  receiver.respond(202)

  await untilAll(app, webhook, 'succeeded', 1)
  const { attempts } = await untilAttempted(app, webhook, 1)
  assert.deepEqual([attempts[0]?.responseStatus, receiver.received.length], [202, 3])
})

it('a delivery keeps its last twelve attempts', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t, () => ({ status: 500 }))
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.deleted'] })
  await app.api.createPet()
  const [event] = await get<[{ id: number }]>(app, '/events?type=pet.created')
  const attempts = Array.from({ length: 12 }, (_, durationMs) => ({
    attemptedAt: '2026-11-02T09:30:00.210Z',
    durationMs,
    responseStatus: 404,
  }))
  const stored = { webhookId: BigInt(webhook.id), eventId: BigInt(event.id), attempts }
  await app.api.addDelivery({ ...stored, status: 'failed' })
  const path = `/v1/webhooks/${webhook.id}/deliveries/1/retry`

  await app.api.post(path, undefined)
  await until(async () => {
    const [delivery] = await deliveriesOf(app, webhook)
    return delivery?.attempts.at(-1)?.responseStatus === 500
  })

  const [delivery] = await deliveriesOf(app, webhook)
  assert.equal(delivery?.status, 'failed')
  assert.deepEqual(delivery.attempts.slice(0, -1), attempts.slice(1))
})

it('a pause holds back what was due before it; attempts in progress end', async (t) => {
  const app = await startSending()
  const receiver = await aSlowReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const setStatus = (status: string) =>
    app.api.send('PATCH', `/v1/webhooks/${webhook.id}`, { body: { status } })
  await Promise.all(Array.from({ length: 12 }, () => app.api.createPet()))
  await until(() => receiver.held.length === 8)
  await untilAll(app, webhook, 'pending', 12)

  await setStatus('paused')
  for (let count = 0; count < 8; count++) receiver.respond(204)
  await untilAll(app, webhook, 'succeeded', 8)
  assert.equal(receiver.received.length, 8)

  await setStatus('enabled')
  for (let count = 8; count < 12; count++) {
    await until(() => receiver.held.length > 0)
    receiver.respond(204)
  }
  await untilAll(app, webhook, 'succeeded', 12)
})

it('nothing is sent to a webhook that was deleted; attempts in progress end', async (t) => {
  const app = await startSending()
  const receiver = await aSlowReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await Promise.all(Array.from({ length: 12 }, () => app.api.createPet()))
  await until(() => receiver.held.length === 8)

  await app.api.send('DELETE', `/v1/webhooks/${webhook.id}`)
  for (let count = 0; count < 8; count++) receiver.respond(204)
  const other = await aReceiver(t)
  await createWebhook(app, { url: other.url, types: ['pet.created'] })
  await app.api.createPet()
  await until(() => other.received.length === 1)

  assert.equal(receiver.received.length, 8)
})

it('a delivery is taken by one process until its lease ends, and then its late result does not count', async () => {
  const app = await startApp()
  const { db, clock } = app.context
  await app.api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })
  for (const eventId of [1n, 2n])
    await app.api.addDelivery({ webhookId: 1n, eventId, status: 'pending' })
  app.clock.ms += 6_000
  const exchange = { now: clock(), startedMs: 0, results: [], rooms: [{ webhookId: 1n, max: 1 }] }
  const shift = (ms: number) =>
    db.read(
      queryOnce(async (sql) => {
        await sql.all('update webhook_deliveries set leased_until = leased_until + ?1', [ms])
      }),
      undefined,
    )
  const take = async () => (await db.write(exchangeDeliveries, exchange)).map(({ id }) => id)
  const [late = assert.fail()] = await db.write(exchangeDeliveries, exchange)
  const both = async () => [...(await take()), ...(await take())].toSorted()
  assert.deepEqual([[late.id, ...(await take())].toSorted(), await take()], [[1n, 2n], []])
  // A lease is told from another by its end, in milliseconds.
  await sleep(2)
  await shift(-61_000)
  assert.deepEqual([await both(), await take()], [[1n, 2n], []])
  // As after the clock of the database was set back.
  await shift(3_600_000)
  assert.deepEqual([await both(), await take()], [[1n, 2n], []])

  const result = { ...unsentResult(late), status: 'succeeded' as const }
  await db.write(exchangeDeliveries, { ...exchange, results: [result], rooms: [] })
  const stored = (await app.api.get('/v1/webhooks/1/deliveries')).json() as { status: string }[]
  assert.deepEqual(
    stored.map(({ status }) => status),
    ['pending', 'pending'],
  )
})

it('a delivery that is damaged does not stop the others', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const attempts = 'damaged' as never
  await app.api.addDelivery({ webhookId: 1n, eventId: 1n, status: 'pending', attempts })
  app.clock.ms += 6_000

  await app.api.createPet()

  await until(() => receiver.received.length === 1)
})
