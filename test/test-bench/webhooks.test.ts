import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { PetstoreClient } from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { itInFull } from '../harness/extent.ts'

/** A receiver as the guide has it: it refuses what is forged, and handles each message once. */
async function startReceiver(t: TestContext) {
  const state = { secret: '', ids: [] as string[], handled: new Set<string>(), cut: 0, status: 204 }
  const server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request) body += chunk
    } catch {
      state.cut += 1
      return
    }
    const id = String(request.headers['webhook-id'])
    state.ids.push(id)
    try {
      new Webhook(state.secret).verify(body, request.headers as Record<string, string>)
    } catch {
      return void response.writeHead(401).end()
    }
    if (state.status === 204) state.handled.add(id)
    response.writeHead(state.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

async function until(holds: () => boolean) {
  while (!holds()) await sleep(10)
}

it('webhook: the store delivers each event, and its clock moves the retries', async (t) => {
  const { state, url } = await startReceiver(t)
  await using store = await startPetstore({ webhook: url })
  assert.ok(store.webhook)
  state.secret = store.webhook.secret
  const client = new PetstoreClient(store)
  state.status = 500
  await client.pets.create({ name: 'Rex', categoryId: 7 })
  const created = (await store.events()).find(({ type }) => type === 'pet.created')
  const id = String(created?.id)
  const attempts = () => state.ids.filter((one) => one === id).length
  await until(() => attempts() === 1)
  assert.equal(state.handled.has(id), false)

  await store.clock.advance(10_000)
  await until(() => attempts() === 2)
  state.status = 204
  // The third attempt follows the second after five minutes and the jitter.
  while (!state.handled.has(id)) {
    await store.clock.advance(60_000)
    await sleep(20)
  }
  assert.equal(attempts(), 3)
})

itInFull(
  'webhook: its first message is of the first change, also after each reset, with the same secret',
  async (t) => {
    const { state, url } = await startReceiver(t)
    await using store = await startPetstore({ webhook: { url } })
    state.secret = store.webhook?.secret ?? ''
    const client = new PetstoreClient(store)
    const fixture = { pets: [{ name: 'Rex' }] }

    // The first reset to the start fills the store, the second one restores it.
    for (const to of [undefined, 'start', 'start', 'empty', { fixture }] as const) {
      if (to !== undefined) await store.reset(to)
      state.ids.length = 0
      await client.categories.create({ name: 'Dogs' })
      await until(() => state.ids.length > 0)

      const last = (await store.events()).at(-1)
      assert.equal(last?.type, 'category.created')
      assert.deepEqual(state.ids, [String(last?.id)])
      assert.ok(state.handled.has(String(last?.id)))
    }
    const typed = { webhook: { url, type: ['order.placed'] } } as object
    await assert.rejects(startPetstore(typed), /type is not a member of .*did you mean types\?/)
  },
)

itInFull('misdeliver: a receiver gets messages as they come at worst', async (t) => {
  const { state, url } = await startReceiver(t)
  await using store = await startPetstore({ fixture: { pets: [{ name: 'Rex', categoryId: 7 }] } })
  const webhook = await store.addWebhook(url, ['order.placed'])
  state.secret = webhook.secret
  const sent = async (...args: Parameters<typeof webhook.misdeliver>) => {
    state.ids.length = 0
    const messages = await webhook.misdeliver(...args)
    return messages.map(({ eventId, responseStatus }) => [String(eventId), responseStatus])
  }
  const [first, ...later] = (await store.events()).map(({ id }) => String(id))
  const newest = String(later.at(-1) ?? first)

  assert.deepEqual(await sent('twice'), [
    [newest, 204],
    [newest, 204],
  ])
  assert.deepEqual(state.ids, [newest, newest])
  assert.deepEqual(await sent('wrongSignature', { eventId: BigInt(first as string) }), [
    [first, 401],
  ])
  assert.deepEqual(await sent('oldTimestamp'), [[newest, 401]])
  const sentMs = performance.now()
  assert.deepEqual(await sent('late', { delayMs: 50 }), [[newest, 204]])
  // A timer may fire within a millisecond before its time.
  assert.ok(performance.now() - sentMs >= 49)
  const [[, status] = [], ...others] = await sent('cut')
  assert.deepEqual([status, others, state.ids], [undefined, [], []])
  await until(() => state.cut === 1)
  const disordered = (await sent('outOfOrder')).map(([id]) => Number(id))
  assert.deepEqual(
    disordered,
    disordered.toSorted((a, b) => b - a),
  )
  assert.equal(disordered.length, 3)
  const burst = await sent('burst')
  assert.deepEqual([burst.length, state.ids.length], [1_000, 1_000])
  assert.ok(burst.every(([, one]) => one === 204))

  await assert.rejects(webhook.misdeliver('twice', { eventId: 999_999 }), /no such event/)
})
