import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { expectError, type TestApp } from '../../../../test/harness/app.ts'
import { itInFull } from '../../../../test/harness/extent.ts'
import { aReceiver, idsOf } from '../../../../test/harness/receiver.ts'
import {
  createWebhook,
  deliveriesOf,
  get,
  hourMs,
  type Issued,
  startSending,
  untilAll,
  untilAttempted,
} from '../../../../test/harness/sending.ts'
import { until } from '../../../../test/harness/until.ts'

it('an event arrives as the feed has it, signed with the secret, and its delivery is listed', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t, () => ({ status: 200, body: 'Thanks' }))
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })

  await app.api.createPet({ name: 'Žofie 🐈' })
  await untilAll(app, webhook, 'succeeded', 1)

  const [message] = receiver.received
  assert.ok(message)
  const headers = message.headers as Record<string, string>
  const event = new Webhook(webhook.secret).verify(message.text, headers) as { id: number }
  assert.deepEqual(await get(app, `/events/${event.id}`), event)
  assert.equal(headers['webhook-id'], String(event.id))
  const [delivery] = await deliveriesOf(app, webhook)
  assert.deepEqual(
    [delivery?.eventType, delivery?.nextAttemptAt, delivery?.attempts.length],
    ['pet.created', undefined, 1],
  )
  const [attempt] = delivery?.attempts ?? []
  assert.deepEqual([attempt?.responseStatus, attempt?.responseBody], [200, 'Thanks'])
})

/** The pauses between the attempts. */
const pausesMs = [5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((h) => h * hourMs)]

it('a delivery carries the traceparent of the request that made the change, where it is valid', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['category.created'] })
  const valid = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const create = (name: string, traceparent: string) =>
    app.api.post('/v1/categories', { name }, { headers: { traceparent } })

  await create('Dogs', valid)
  await create('Cats', `${valid}\u00e9`)
  await create('Birds', `01${valid.slice(2, -2)}ff-more`)
  await untilAll(app, webhook, 'succeeded', 3)

  const sent = receiver.received.map(({ text, headers }) => [
    JSON.parse(text).data.name,
    headers.traceparent,
  ])
  assert.deepEqual(sent.sort(), [
    ['Birds', valid],
    ['Cats', undefined],
    ['Dogs', valid],
  ])
})

it('ten attempts over the time of the schedule, with one webhook-id; then the delivery has failed', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t, () => ({ status: 500, body: '\0no' }))
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()

  for (const [index, pauseMs] of pausesMs.entries()) {
    const { status, nextAttemptAt } = await untilAttempted(app, webhook, index + 1)
    const dueMs = Date.parse(nextAttemptAt ?? '') - app.clock.ms
    assert.deepEqual([status, dueMs], ['pending', pauseMs], String(index))
    app.clock.ms += pauseMs
  }

  const last = await untilAttempted(app, webhook, 10)
  assert.deepEqual([last.status, last.nextAttemptAt], ['failed', undefined])
  assert.deepEqual(
    [last.attempts[9]?.responseStatus, last.attempts[9]?.responseBody],
    [500, '\0no'],
  )
  assert.deepEqual([receiver.received.length, idsOf(receiver.received).length], [10, 1])
  assert.ok((await get<{ failingSince?: string }>(app, `/webhooks/${webhook.id}`)).failingSince)
})

it('Retry-After is waited for, and a success ends the attempts', async (t) => {
  const app = await startSending()
  const responses = [{ status: 503, headers: { 'retry-after': '3600' } }, { status: 204 }]
  const receiver = await aReceiver(t, () => responses.shift() ?? { status: 400 })
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()

  const { nextAttemptAt } = await untilAttempted(app, webhook, 1)
  assert.equal(Date.parse(nextAttemptAt ?? '') - app.clock.ms, hourMs)
  app.clock.ms += hourMs
  const { status } = await untilAttempted(app, webhook, 2)

  assert.equal(status, 'succeeded')
  assert.deepEqual(
    Object.keys(await get<object>(app, `/webhooks/${webhook.id}`)).includes('failingSince'),
    false,
  )
})

/** The webhook once the service has disabled it, and the event of that. */
async function untilDisabled(app: TestApp, { id }: Issued) {
  type Shown = {
    status: string
    disabledReason?: string
    failingSince?: string
    missedAfter?: number
  }
  const read = () => get<Shown>(app, `/webhooks/${id}`)
  await until(async () => (await read()).status === 'disabled')
  const events = await get<object[]>(app, '/events?type=webhook.disabled')
  const { failingSince, missedAfter, ...webhook } = await read()
  assert.ok(failingSince && missedAfter)
  return { webhook, events }
}

it('410 disables a webhook, with an event of the job, and holds its deliveries back', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t, () => ({ status: 410 }))
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()

  const disabled = await untilDisabled(app, webhook)

  assert.equal(disabled.webhook.disabledReason, 'gone')
  const [{ actor, data, previous }] = disabled.events as [Record<string, object>]
  assert.deepEqual(actor, { type: 'job', name: 'deliverWebhooks' })
  assert.deepEqual(data, disabled.webhook)
  assert.deepEqual(previous, { status: 'enabled', disabledReason: null })
  assert.doesNotMatch(JSON.stringify(disabled.events), /secret|whsec/)
  const [delivery] = await deliveriesOf(app, webhook)
  app.clock.ms += hourMs
  await app.api.createPet()
  assert.deepEqual([delivery?.status, receiver.received.length], ['pending', 1])
})

itInFull('five days without a success disable a webhook', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t, () => ({ status: 500 }))
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await app.api.createPet()
  await untilAttempted(app, webhook, 1)

  app.clock.ms += 5 * 24 * hourMs
  const disabled = await untilDisabled(app, webhook)

  assert.equal(disabled.webhook.disabledReason, 'failing')
  assert.equal(disabled.events.length, 1)
})

it('a webhook gets the types that it asks for and its maker may read now; a test reaches it alone', async (t) => {
  const app = await startSending()
  const [all, few, restricted] = [await aReceiver(t), await aReceiver(t), await aReceiver(t)]
  const weak = await app.issueKey({ scopes: ['webhooks:manage', 'orders:read'] })
  const first = await createWebhook(app, { url: all.url })
  const ofWeak = await createWebhook(app, { url: restricted.url }, { key: weak })
  const { id: createdId } = await createWebhook(app, { url: few.url, types: ['pet.deleted'] })
  const { id } = await app.api.createPet()
  const category = await app.api.post('/v1/categories', { name: 'Dogs' })
  assert.equal(category.status, 201, category.text)
  await app.api.send('DELETE', `/v1/pets/${id}`)
  await app.api.post(`/v1/webhooks/${first.id}/test`, undefined)

  const typesOf = ({ events }: typeof all) => new Set(events().map(({ type }) => type))
  const expected = ['webhook.tested', 'pet.created', 'category.created', 'pet.deleted']
  await until(() => expected.every((type) => typesOf(all).has(type)))
  await until(() => few.received.length > 0 && restricted.received.length > 0)
  assert.deepEqual([...typesOf(few)], ['pet.deleted'])
  // Not of its own creation.
  const seen = restricted.received.map(({ text }) => JSON.parse(text))
  assert.deepEqual(
    seen.map(({ type, data }) => [type, data.id]),
    [['webhook.created', createdId]],
  )
  assert.equal((await deliveriesOf(app, ofWeak)).length, 1)
})

it('nothing is sent for a key that was revoked', async (t) => {
  const app = await startSending()
  const [receiver, other] = [await aReceiver(t), await aReceiver(t)]
  const maker = await app.issueKey()
  const types = ['pet.created']
  await createWebhook(app, { url: receiver.url, types }, { key: maker })
  await createWebhook(app, { url: other.url, types })

  await app.revokeKey(maker)
  await app.api.createPet()

  await until(() => other.received.length === 1)
  assert.equal(receiver.received.length, 0)
})

it('what waits for its next attempt is not sent once the key was revoked; its delivery has failed', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t, () => ({ status: 500 }))
  const maker = await app.issueKey()
  const sent = { url: receiver.url, types: ['pet.created'] }
  const webhook = await createWebhook(app, sent, { key: maker })
  await app.api.createPet()
  await untilAttempted(app, webhook, 1)

  await app.revokeKey(maker)
  app.clock.ms += 6_000

  const { status, attempts } = await untilAttempted(app, webhook, 2)
  assert.equal(status, 'failed')
  assert.match(attempts[1]?.error ?? '', /^The key that made this webhook may not read the event/)
  assert.equal(receiver.received.length, 1)
})

it('a paused webhook gets nothing of what happens meanwhile, and says from where a replay sends it', async (t) => {
  const app = await startSending()
  const [receiver, other] = [await aReceiver(t), await aReceiver(t)]
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  await createWebhook(app, { url: other.url, types: ['pet.created'] })
  const path = `/v1/webhooks/${webhook.id}`
  const setStatus = (status: string) => app.api.send('PATCH', path, { body: { status } })
  const replay = (after?: number) => app.api.post(`${path}/replay`, { after })
  const { missedAfter } = (await setStatus('paused')).json() as { missedAfter: number }
  await app.api.createPet()
  await until(() => other.received.length === 1)
  expectError(await replay(missedAfter), 409, 'webhook_not_enabled')

  const enabled = (await setStatus('enabled')).json() as { missedAfter: number }
  await app.api.createPet()

  await until(() => receiver.received.length === 1)
  assert.equal(enabled.missedAfter, missedAfter)
  assert.equal((await replay(missedAfter)).status, 204)
  await until(() => idsOf(receiver.received).length === 2)
  assert.equal(
    (await get<{ missedAfter?: number }>(app, `/webhooks/${webhook.id}`)).missedAfter,
    undefined,
  )
})

it('after a rotation both secrets sign for a day, then the new one alone', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  const old = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const path = `/v1/webhooks/${old.id}/rotate-secret`
  const rotated = (await app.api.post(path, undefined)).json() as Issued
  const verifiesWith = (secret: string) => {
    const { text, headers } = receiver.received.at(-1) ?? assert.fail()
    try {
      return Boolean(new Webhook(secret).verify(text, headers as Record<string, string>))
    } catch {
      return false
    }
  }

  await app.api.createPet()
  await until(() => receiver.received.length === 1)
  assert.deepEqual([verifiesWith(old.secret), verifiesWith(rotated.secret)], [true, true])
  app.clock.ms += 24 * hourMs
  await app.api.createPet()
  await until(() => receiver.received.length === 2)
  assert.deepEqual([verifiesWith(old.secret), verifiesWith(rotated.secret)], [false, true])
})

it('a replay and a retry send again under the same ids', async (t) => {
  const app = await startSending()
  const receiver = await aReceiver(t)
  const webhook = await createWebhook(app, { url: receiver.url, types: ['pet.created'] })
  const { length } = await Promise.all(Array.from({ length: 130 }, () => app.api.createPet()))
  await until(() => receiver.received.length === length)
  await untilAll(app, webhook, 'pending', 0)
  const ids = idsOf(receiver.received)
  assert.equal(ids.length, length)

  const [delivery] = await deliveriesOf(app, webhook)
  const retry = `/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}/retry`
  await app.api.post(retry, undefined)
  await until(() => receiver.received.length === length + 1)
  assert.equal(receiver.events().at(-1)?.id, delivery?.eventId)

  const after = Math.min(...ids) - 1
  await app.api.post(`/v1/webhooks/${webhook.id}/replay`, { after })
  await until(() => receiver.received.length >= 2 * length + 1)
  assert.deepEqual(new Set(idsOf(receiver.received)), new Set(ids))
})
