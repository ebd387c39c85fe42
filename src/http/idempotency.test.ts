import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aPet, expectError, type SentFile, startApp, type TestApi } from '../../test/harness/app.ts'
import { cases, itInFull } from '../../test/harness/extent.ts'
import { readLists } from '../../test/harness/mirror.ts'
import { fillStore, requests } from '../../test/harness/operations.ts'
import { runJobs } from '../app/jobs.ts'
import { operations } from '../app/operations.ts'

type Answer = Awaited<ReturnType<TestApi['get']>>
type Request = { method: string; url: string; body?: unknown; file?: SentFile | undefined }

const lifetimeMs = 24 * 60 * 60 * 1000
/** Those whose response is replayed; one that holds a secret is withheld. */
const replayed = operations.filter(({ operation }) => operation.idempotency === 'replayed')
const posts = requests.filter(({ operationId }) =>
  replayed.some(({ operation }) => operation.operationId === operationId),
)

/** Those that succeed again. */
const repeatable = 'createPet batchPets importPets testWebhook replayWebhook retryDelivery'.split(
  ' ',
)
const tom = { id: 1, update: { name: 'Tom' } }
/** A different request for each operation. */
const otherRequests: Record<string, Request> = {
  createPet: { method: 'POST', url: '/v1/pets', body: aPet({ name: 'Max' }) },
  batchPets: { method: 'POST', url: '/v1/pets/batch', body: { changes: [tom] } },
  createCategory: { method: 'POST', url: '/v1/categories', body: { name: 'Fish' } },
  importPets: {
    method: 'POST',
    url: '/v1/pets/import',
    file: JSON.stringify(aPet({ name: 'Max' })),
  },
  createOrder: { method: 'POST', url: '/v1/store/orders', body: { petId: 1, reference: 'x' } },
  shipOrder: { method: 'POST', url: '/v1/store/orders/3/ship' },
  deliverOrder: { method: 'POST', url: '/v1/store/orders/3/deliver' },
  testWebhook: { method: 'POST', url: '/v1/webhooks/2/test' },
  replayWebhook: { method: 'POST', url: '/v1/webhooks/2/replay', body: { after: 1 } },
  retryDelivery: { method: 'POST', url: '/v1/webhooks/1/deliveries/2/retry' },
}

function send(
  api: TestApi,
  { method, url, body, file }: Request,
  key: string,
  more = {},
): Promise<Answer> {
  return api.send(method, url, { body, file, headers: { 'idempotency-key': key }, ...more })
}
const create = (api: TestApi, key: string, more: Record<string, unknown> = {}, sent = {}) =>
  send(api, { method: 'POST', url: '/v1/pets', body: aPet(more) }, key, sent)

async function startFilled() {
  const app = await startApp()
  await fillStore(app.api)
  return app
}

for (const request of posts) {
  const { operationId, status } = request
  const itForFew = cases(posts, { quickEvery: 4 }).includes(request) ? it : itInFull

  describe(operationId, () => {
    it(`${status}: a request with one key is performed once, and repeated with the same response; 422: a different one does nothing`, async () => {
      const { api } = await startFilled()

      const first = await send(api, request, '"k-1"')
      const afterFirst = await readLists(api)
      const second = await send(api, request, 'k-1')
      const refused = await send(api, otherRequests[operationId] as Request, 'k-1')
      const third = await send(api, request, '"k-1"')

      assert.equal(first.status, status, first.text)
      assert.equal(first.headers['idempotency-replayed'], undefined)
      for (const repeated of [second, third]) {
        assert.deepEqual(essence(repeated), essence(first))
        assert.equal(repeated.headers['idempotency-replayed'], 'true')
        assert.notEqual(repeated.headers['x-request-id'], first.headers['x-request-id'])
      }
      expectError(refused, 422, 'idempotency_key_reused')
      for (const name of ['location', 'etag', 'idempotency-replayed']) {
        assert.equal(refused.headers[name], undefined)
      }
      assert.deepEqual(await readLists(api), afterFirst)
    })

    itForFew(
      `${status}: equal concurrent requests have one effect, and get the same response`,
      async () => {
        const { api } = await startFilled()

        const answers = await Promise.all(eight.map(() => send(api, request, 'k')))

        const [first] = answers.filter(({ headers }) => !headers['idempotency-replayed'])
        assert.ok(first)
        for (const answer of answers) assert.deepEqual(essence(answer), essence(first))
        const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')
        assert.equal(replayed.length, answers.length - 1)
        const alone = await startFilled()
        await send(alone.api, request, 'k')
        assert.deepEqual(await readLists(api), await readLists(alone.api))
      },
    )

    itForFew(`${status}: a key is forgotten after 24 hours, with or without sweeps`, async () => {
      for (const isSwept of [true, false]) {
        const { api, clock, context } = await startFilled()
        const pass = async (ms: number) => {
          clock.ms += ms
          if (isSwept) await runJobs(context)
        }
        await send(api, request, 'k')

        await pass(lifetimeMs - 1)
        const late = await send(api, request, 'k')
        await pass(1)
        const anew = await send(api, request, 'k')

        assert.equal(late.headers['idempotency-replayed'], 'true')
        assert.equal(anew.headers['idempotency-replayed'], undefined)
        assert.equal(anew.status, repeatable.includes(operationId) ? status : 409)
      }
    })

    itForFew(`${status}: a key belongs to the API key that sent it`, async () => {
      const { api, issueKey } = await startFilled()
      const other = await issueKey({ name: 'other' })
      await send(api, request, 'k')

      const same = await send(api, request, 'k')
      const others = await send(api, otherRequests[operationId] as Request, 'k', { key: other })

      assert.equal(same.headers['idempotency-replayed'], 'true')
      assert.equal(others.headers['idempotency-replayed'], undefined)
      assert.notEqual(others.status, 422)
    })
  })
}

it('201 and 200: a key belongs to the operation that it was sent to', async () => {
  const { api } = await startFilled()

  const answers = []
  for (const request of posts) answers.push(await send(api, request, 'k'))

  assert.deepEqual(
    answers.map(({ status }) => status),
    posts.map(({ status }) => status),
  )
  for (const { headers } of answers) assert.equal(headers['idempotency-replayed'], undefined)
})

it('201: requests without a key, and with different keys, are all performed', async () => {
  const { api } = await startApp()

  const without = [await api.post('/v1/pets', aPet()), await api.post('/v1/pets', aPet())]
  const others = [await create(api, 'a'), await create(api, 'A')]

  const ids = [...without, ...others].map((answer) => (answer.json() as { id: number }).id)
  assert.deepEqual(ids, [1, 2, 3, 4])
})

it('201: unknown members and the notation of JSON do not make a request different', async () => {
  const { api } = await startApp()
  await create(api, 'k', { categoryId: 10, status: 'sold' })

  for (const rawBody of [
    '{"status":"sold","categoryId":1e1,"name":"Rex"}',
    ' {"name":"\\u0052ex","categoryId":10.0,"status":"sold","owner":{"name":"Ann"},"id":7}',
    '{"name":"Max","name":"Rex","categoryId":10,"status":"sold"}',
  ]) {
    const response = await send(api, { method: 'POST', url: '/v1/pets' }, 'k', { rawBody })
    assert.equal(response.status, 201, response.text)
    assert.equal(response.headers['idempotency-replayed'], 'true')
  }
  for (const more of [
    { categoryId: 11 },
    { name: 'rex' },
    { status: 'pending' },
    { status: undefined },
  ]) {
    const response = await create(api, 'k', { categoryId: 10, status: 'sold', ...more })
    expectError(response, 422, 'idempotency_key_reused')
  }
  assert.equal(((await api.get('/v1/pets')).json() as unknown[]).length, 1)
})

it('201: the default of an absent member does not make a request different', async () => {
  const { api } = await startFilled()
  const order = (more: object) =>
    send(api, { method: 'POST', url: '/v1/store/orders', body: { petId: 1, ...more } }, 'k')
  const first = await order({})

  const repeated = await order({ quantity: 1 })

  assert.deepEqual([repeated.status, repeated.text], [201, first.text])
  assert.equal(repeated.headers['idempotency-replayed'], 'true')
  expectError(await order({ quantity: 2 }), 422, 'idempotency_key_reused')
})

it('201: a replay returns the first response, even if the record has changed since', async () => {
  const { api } = await startApp()
  const first = await create(api, 'k', { status: 'available' })
  const order = { method: 'POST', url: '/v1/store/orders', body: { petId: 1 } }
  const placed = await send(api, order, 'k')
  await api.send('POST', '/v1/store/orders/1/ship')
  await api.send('POST', '/v1/store/orders/1/deliver')
  await api.send('PATCH', '/v1/pets/1', { body: { name: 'Max' } })
  await api.send('DELETE', '/v1/pets/1')

  assert.deepEqual(essence(await create(api, 'k', { status: 'available' })), essence(first))
  assert.deepEqual(essence(await send(api, order, 'k')), essence(placed))
  assert.equal((await api.get('/v1/pets')).text, '[]')
  assert.match((await api.get('/v1/store/orders/1')).text, /"delivered"/)
})

it('201: refusals are not stored: the request may succeed later with the same key', async () => {
  const { api } = await startApp()
  const order = { method: 'POST', url: '/v1/store/orders', body: { petId: 1 } }
  const ship = { method: 'POST', url: '/v1/store/orders/1/ship' }

  const invalid = await create(api, 'k', { name: '' })
  const unknown = await send(api, order, 'k')
  await create(api, 'k')
  const unavailable = await send(api, order, 'k')
  const none = await send(api, ship, 'k')
  await api.send('PATCH', '/v1/pets/1', { body: { status: 'available' } })
  const placed = await send(api, order, 'k')
  const shipped = await send(api, ship, 'k')

  expectError(invalid, 400, 'invalid_body')
  expectError(unknown, 404, 'not_found')
  expectError(unavailable, 409, 'pet_not_available')
  expectError(none, 404, 'not_found')
  for (const [answer, status] of [
    [placed, 201],
    [shipped, 200],
  ] as const) {
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.headers['idempotency-replayed'], undefined)
  }
})

it('409: equal concurrent requests that the store refuses are all refused', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'sold' })
  const order = { method: 'POST', url: '/v1/store/orders', body: { petId: 1 } }

  const answers = await Promise.all(eight.map(() => send(api, order, 'k')))

  for (const answer of answers) expectError(answer, 409, 'pet_not_available')
})

it("401 and 403: are checked before a replay, also for the client's own request", async () => {
  const { api, issueKey, revokeKey } = await startApp()
  const key = await issueKey({ name: 'shop' })
  const reader = await issueKey({ name: 'reader', scopes: ['pets:read'] })
  await create(api, 'k', {}, { key })

  const foreign = await create(api, 'k', {}, { key: reader })
  await revokeKey(key)
  const revoked = await create(api, 'k', {}, { key })

  expectError(foreign, 403, 'insufficient_scope')
  expectError(revoked, 401, 'revoked_api_key')
})

const eight = Array.from({ length: 8 })

/** A whole response except what identifies the request. */
function essence({ status, headers, text }: Answer) {
  const { 'x-request-id': _id, 'idempotency-replayed': _replayed, date: _date, ...rest } = headers
  return { status, headers: rest, text }
}
