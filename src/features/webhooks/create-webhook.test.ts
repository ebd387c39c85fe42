import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'

const url = '/v1/webhooks'
const shop = { url: 'https://shop.example/hooks' }

it('201: creates a webhook, shows its secret once, and says who made it', async () => {
  const { api } = await startApp()
  const sent = { ...shop, types: ['order.placed', 'pet.deleted'], description: 'Shop' }

  const response = await api.post(url, sent)

  assert.equal(response.status, 201)
  const { secret, ...known } = response.json() as { secret: string }
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(known, {
    id: 1,
    ...sent,
    status: 'enabled',
    createdAt: '2027-01-01T00:00:00.000Z',
    createdBy: 1,
  })
  assert.equal(response.headers.location, 'http://petstore.test/v1/webhooks/1')
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.deepEqual((await api.get(`${url}/1`)).json(), known)
  assert.deepEqual((await api.get(url)).json(), [known])
  const [event] = (await api.get('/v1/events?type=webhook.created')).json() as { data: object }[]
  assert.deepEqual(event?.data, known)
})

it('403: default does not cover webhooks; a key with webhooks:manage alone makes them', async () => {
  const { api, issueKey } = await startApp()
  const weak = await issueKey({ scopes: ['default', 'keys:manage'] })
  const manager = await issueKey({ scopes: ['webhooks:manage'] })

  expectError(await api.post(url, shop, { key: weak }), 403, 'insufficient_scope')
  expectError(await api.get(url, { key: weak }), 403, 'insufficient_scope')
  assert.equal((await api.post(url, shop, { key: manager })).status, 201)
  assert.deepEqual((await api.get('/v1/events?type=webhook.created', { key: weak })).json(), [])
})

it('422: a repetition is refused, since the secret is not stored; it creates no second webhook', async () => {
  const { api } = await startApp()
  const headers = { 'idempotency-key': 'one' }

  const first = await api.post(url, shop, { headers })
  const again = await api.post(url, shop, { headers })

  assert.equal(first.status, 201)
  expectError(again, 422, 'idempotency_key_reused')
  assert.equal(await countOf(api), 1)
})

it('409: the 51st webhook, also of several at once', async () => {
  const { api } = await startApp()
  await Promise.all(Array.from({ length: 48 }, () => api.post(url, shop)))

  const responses = await Promise.all([1, 2, 3, 4].map(() => api.post(url, shop)))

  const refused = responses.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 2)
  for (const response of refused) expectError(response, 409, 'too_many_webhooks')
  assert.equal(await countOf(api), 50)
})

const refusedAddresses: unknown[] = [
  'https://shop.example:0/',
  `https://shop.example/${'x'.repeat(2_980)}`,
  'http://shop.example/',
  'https://me:secret@shop.example/',
  'https://nowhere.invalid/',
  'https://10.0.0.1/',
  'https://[::ffff:10.0.0.1]/',
  'ftp://shop.example/',
  'shop',
  'https://shop.example/\nhooks',
  '',
  7,
  undefined,
]

it('400: an address to which nothing may be sent, or that is none; nothing is stored', async () => {
  const { api } = await startApp()

  for (const address of refusedAddresses) await expectProblem(api, { url: address }, '/url')

  assert.equal(await countOf(api), 0)
  assert.equal((await api.get('/v1/events')).text.includes('"webhook.'), false)
})

it('400: the service itself', async () => {
  const { api } = await startApp({ settings: { PETSTORE_PUBLIC_URL: 'https://pets.example/v1' } })

  await expectProblem(api, { url: 'https://pets.example/v1/pets' }, '/url')
})

it('400: types that do not exist, with the nearest one; one twice; none; each has a pointer', async () => {
  const { api } = await startApp()

  const types = ['order.placed', 'order.place', 'pet.placed']
  const message = await expectProblem(api, { ...shop, types }, '/types/1', '/types/2')
  await expectProblem(api, { ...shop, types: ['pet.deleted', 'pet.deleted'] }, '/types')
  assert.match(message, /did you mean order\.placed/)
  await expectProblem(api, { ...shop, types: [] }, '/types')
  await expectProblem(api, { ...shop, types: 'order.placed' }, '/types')
  await expectProblem(api, { ...shop, description: '' }, '/description')
  assert.equal(await countOf(api), 0)
})

async function countOf(api: TestApi): Promise<number> {
  return ((await api.get(`${url}?limit=100`)).json() as unknown[]).length
}

/** Fails unless a body is refused at these pointers. */
async function expectProblem(api: TestApi, body: object, ...pointers: string[]): Promise<string> {
  expectError(await api.post(url, body), 400, 'invalid_body')
  const headers = { accept: 'application/problem+json' }
  const response = await api.post(url, body, { headers })
  const { errors, detail } = response.json() as { errors: { pointer: string }[]; detail: string }
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    pointers,
    `${JSON.stringify(body)}: ${response.text}`,
  )
  assert.doesNotMatch(detail, /secret/)
  return detail
}
