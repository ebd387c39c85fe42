import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { it, type TestContext } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { aReceiver, idsOf } from '../../../../test/harness/receiver.ts'
import {
  createWebhook,
  deliveriesOf,
  get,
  startSending,
  untilAll,
  untilAttempted,
} from '../../../../test/harness/sending.ts'
import { until } from '../../../../test/harness/until.ts'
import { selectDue } from './queries.ts'

/** A receiver that responds when the test says so. */
async function aSlowReceiver(t: TestContext) {
  const held: ServerResponse[] = []
  const receiver = await aReceiver(t, (_, response) => {
    held.push(response)
    return 'never'
  })
  return { ...receiver, held, respond: (status: number) => held.shift()?.writeHead(status).end() }
}

it('events that could not be stored as deliveries are read and stored again, and sent once', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  await app.api.post('/v1/webhooks', { url: receiver.url, types: ['pet.created'] })
  const { write } = app.context.db
  let failures = 0
  const failing: typeof write = (named, ...rest) => {
    if (named.name !== 'storeWebhookProgress') return write(named, ...rest)
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

it('while new events cannot be stored as deliveries, what is due is sent, and its result is stored', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const [{ id: created }] = await get<[{ id: number }]>(app, '/events?sort=-id&limit=1')
  const { write } = app.context.db
  let failures = 0
  const failing: typeof write = (named, input, ...rest) => {
    const { events = [] } = input as { events?: object[] }
    if (events.length === 0) return write(named, input, ...rest)
    failures += 1
    return Promise.reject(new Error('A page of the deliveries is damaged.'))
  }
  Object.assign(app.context.db, { write: failing })
  await app.api.createPet()
  await until(() => failures >= 2)

  const due = { webhookId: BigInt(webhook.id), eventId: BigInt(created) }
  await app.api.addDelivery({ ...due, eventType: 'webhook.created', status: 'pending' })
  app.clock.ms += 6_000
  await untilAll(app, webhook, 'succeeded', 1)
  assert.equal((await deliveriesOf(app, webhook)).length, 1)

  Object.assign(app.context.db, { write })
  await untilAll(app, webhook, 'succeeded', 2)
  assert.equal(receiver.received.length, 2)
})

it('of an event that becomes a delivery its id and type are stored, not its text', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  await app.api.post('/v1/webhooks', { url: receiver.url, types: ['pet.created'] })
  const { write } = app.context.db
  const members = new Set<string>()
  const writing: typeof write = (named, input, ...rest) => {
    const { events = [] } = input as { events?: object[] }
    for (const name of events.flatMap(Object.keys)) members.add(name)
    return write(named, input, ...rest)
  }
  Object.assign(app.context.db, { write: writing })

  await app.api.createPet()
  await until(() => receiver.received.length === 1)

  assert.deepEqual([...members].sort(), ['id', 'type'])
})

it('while the log cannot be read, what is due is sent, and its result is stored', async (t) => {
  const app = await startApp()
  const receiver = await aReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const [{ id: created }] = await get<[{ id: number }]>(app, '/events?sort=-id&limit=1')
  await app.api.createPet()
  const due = { webhookId: BigInt(webhook.id), eventId: BigInt(created) }
  await app.api.addDelivery({ ...due, eventType: 'webhook.created', status: 'pending' })
  app.clock.ms += 6_000
  const { read } = app.context.db
  let failures = 0
  const failing: typeof read = (query, input) => {
    const { after } = (input ?? {}) as { after?: bigint }
    if (after !== BigInt(created) - 1n) return read(query, input)
    failures += 1
    return Promise.reject(new Error('A page of the log is damaged.'))
  }
  Object.assign(app.context.db, { read: failing })

  await app.startJobs()
  await untilAll(app, webhook, 'succeeded', 1)
  await until(() => failures >= 2)
  assert.equal((await deliveriesOf(app, webhook)).length, 1)

  Object.assign(app.context.db, { read })
  await untilAll(app, webhook, 'succeeded', 2)
  assert.equal(receiver.received.length, 2)
})

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

it('a retry that is asked for during an attempt is made after it, whatever came of that', async (t) => {
  const app = await startSending()
  const receiver = await aSlowReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()
  await until(() => receiver.held.length === 1)
  const [delivery] = await deliveriesOf(app, webhook)
  const retry = () =>
    app.api.post(`/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}/retry`, undefined)

  assert.equal((await retry()).status, 200)
  receiver.respond(204)
  await until(() => receiver.held.length === 1)
  assert.equal((await retry()).status, 200)
  receiver.respond(500)
  await until(() => receiver.held.length === 1)
  receiver.respond(204)

  await untilAll(app, webhook, 'succeeded', 1)
  const { attempts } = await untilAttempted(app, webhook, 3)
  assert.deepEqual(
    attempts.map(({ responseStatus }) => responseStatus),
    [204, 500, 204],
  )
  assert.equal(receiver.received.length, 3)
})

it('a result that comes while what is due is read: nothing is sent twice', async (t) => {
  let attempted = 0
  const webhookAttempted = () => {
    attempted += 1
  }
  const app = await startApp({ observers: [{ webhookAttempted }] })
  const { read } = app.context.db
  const gate = Promise.withResolvers<void>()
  let isHolding = false
  let held = 0
  const reading: typeof read = async (query, input) => {
    const found = await read(query, input)
    if (isHolding && (query as unknown) === selectDue && (found as unknown as []).length > 0) {
      held += 1
      await gate.promise
    }
    return found
  }
  Object.assign(app.context.db, { read: reading })
  await app.startJobs()
  const receiver = await aSlowReceiver(t)
  await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()
  await until(() => receiver.held.length === 1)

  isHolding = true
  await until(() => held === 1)
  receiver.respond(204)
  await until(() => attempted === 1)
  isHolding = false
  gate.resolve()
  await app.api.createPet()
  await until(() => receiver.held.length === 1)

  assert.deepEqual([receiver.received.length, idsOf(receiver.received).length], [2, 2])
})

it('a delivery keeps its last twelve attempts', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t, () => ({ status: 500 }))
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.deleted'] })
  await app.api.createPet()
  const [event] = await get<[{ id: number }]>(app, '/events?type=pet.created')
  const attempts = Array.from({ length: 12 }, (_, durationMs) => ({
    ...{ attemptedAt: '2026-11-02T09:30:00.210Z', durationMs, responseStatus: 404 },
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
  const [receiver, other] = [await aSlowReceiver(t), await aReceiver(t)]
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const setStatus = (status: string) =>
    app.api.send('PATCH', `/v1/webhooks/${webhook.id}`, { body: { status } })
  await Promise.all(Array.from({ length: 8 }, () => app.api.createPet()))
  await until(() => receiver.held.length === 4)

  await setStatus('paused')
  // Its webhook is read together with the pause.
  await createWebhook(app, { url: other.url, types: ['pet.created'] })
  await app.api.createPet()
  await until(() => other.received.length === 1)
  for (let count = 0; count < 4; count++) receiver.respond(204)
  await untilAll(app, webhook, 'succeeded', 4)
  assert.equal(receiver.received.length, 4)

  await setStatus('enabled')
  for (let count = 4; count < 9; count++) {
    await until(() => receiver.held.length > 0)
    receiver.respond(204)
  }
  await untilAll(app, webhook, 'succeeded', 9)
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
