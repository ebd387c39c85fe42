import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { createJournal } from '../../src/test-bench/journal.ts'
import { call } from '../harness/petstore.ts'

it('records the requests below /v1: what came, and how it was judged', async () => {
  await using store = await startPetstore()
  const body = '{"name":"Rex","categoryId":1}'
  await call(store, '/pets', { method: 'POST', body })
  await call(store, '/pets/1')
  await call(store, '/pets?limit=0')
  await call(store, '/nowhere')

  const requests = await store.requests()

  assert.deepEqual(
    requests.map(({ number, method, target, operation, status, code, isDeprecated }) => ({
      ...{ number, method, target, operation, status, code, isDeprecated },
    })),
    [
      { ...entry(1, '/v1/pets', 'createPet', 201), method: 'POST' },
      { ...entry(2, '/v1/pets/1', 'getPet', 200), isDeprecated: true },
      { ...entry(3, '/v1/pets?limit=0', 'listPets', 400), code: 'invalid_parameter' },
      { ...entry(4, '/v1/nowhere', undefined, 404), code: 'not_found' },
    ],
  )
  assert.equal(requests[0]?.body, body)
  assert.equal((await store.requests({ code: 'not_found' })).length, 1)
  assert.equal((await store.requests({ operation: 'createPet', status: 201 })).length, 1)
  assert.equal((await store.requests({ deprecated: true })).length, 1)
})

function entry(number: number, target: string, operation: string | undefined, status: number) {
  const rest = { method: 'GET', code: undefined, isDeprecated: false }
  return { number, target, operation, status, ...rest }
}

it('holds no key', async () => {
  await using store = await startPetstore()
  const headers = { 'x-api-key': store.key, [store.key]: 'here' }
  await call(store, `/pets?key=${store.key}&${store.key}`, { headers })
  await call(store, '/pets', { method: 'POST', body: `{"${store.key}":1}` })

  const text = JSON.stringify(await store.requests())

  assert.ok(!text.toLowerCase().includes(store.key.slice(9, 25).toLowerCase()), text)
})

it('expectRequests passes for these requests in this order, and rejects otherwise', async () => {
  await using store = await startPetstore()
  await call(store, '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' })
  await call(store, '/pets')
  const created = { operation: 'createPet', status: 201, body: { name: 'Rex', categoryId: 1 } }

  await store.expectRequests([created, { method: 'GET', target: '/v1/pets' }])

  for (const expected of [
    [created],
    [{ operation: 'listPets' }, created],
    [{ ...created, body: { name: 'Tom', categoryId: 1 } }, {}],
    [created, {}, {}],
  ]) {
    await assert.rejects(store.expectRequests(expected), { name: 'AssertionError' })
  }
  await store.reset()
  await store.expectRequests([])
})

it('the journal is cleared, and a filter that can match nothing is refused', async () => {
  await using store = await startPetstore()
  await call(store, '/pets')

  await assert.rejects(store.requests({ status: 20 }), /^Error: status must be an HTTP status/)
  for (const query of ['status=2xx', 'status=', 'deprecated=yes', 'stat=200']) {
    const response = await fetch(store.baseUrl.replace(/v1$/, `test-bench/journal?${query}`), {
      headers: { authorization: `Bearer ${store.key}` },
    })
    assert.equal(response.status, 400, query)
  }
  await store.clearRequests()
  assert.deepEqual(await store.requests(), [])
})

it('pages of other origins may use the store, and never control it', async () => {
  await using store = await startPetstore()
  const preflight = async (url: string) => {
    const headers = { origin: 'http://example.com', 'access-control-request-method': 'GET' }
    const response = await fetch(url, { method: 'OPTIONS', headers })
    return response.headers.get('access-control-allow-origin')
  }

  assert.equal(await preflight(`${store.baseUrl}/pets`), '*')
  assert.equal(await preflight(store.baseUrl.replace(/v1$/, 'test-bench/journal')), null)
})

it('only the key of the start opens the test bench, and its document is open to all', async () => {
  await using store = await startPetstore({ keys: [{}] })
  const root = store.baseUrl.replace(/\/v1$/, '/test-bench')
  const ask = (key?: string) =>
    fetch(`${root}/journal`, { headers: key ? { authorization: `Bearer ${key}` } : {} })

  assert.equal((await ask()).status, 401)
  assert.equal((await ask(store.keys[0])).status, 401)
  assert.equal((await ask(store.key)).status, 200)
  const document = (await (await fetch(`${root}/openapi.json`)).json()) as { paths: object }
  assert.ok('/faults' in document.paths)
})

it('masks keys in bodies, and keeps all other texts as they were', async () => {
  await using store = await startPetstore()
  const names = [store.key, 'b6d7c0e2f3a14955a1b2c3d4e5f60718zz']
  for (const name of names) {
    const body = JSON.stringify({ name, categoryId: 1 })
    await call(store, '/pets', { method: 'POST', body })
  }

  const bodies = (await store.requests()).map(({ body }) => body)

  assert.doesNotMatch(`${bodies[0]}`, new RegExp(store.key.slice(9)))
  assert.equal(bodies[1], `{"name":"${names[1]}","categoryId":1}`)
})

it('percent-encoding of a path hides nothing: not from the journal or faults, and the test bench not from pages', async () => {
  await using store = await startPetstore()
  const { origin } = new URL(store.baseUrl)
  await store.faults.add({ operation: 'listPets', error: 'unavailable' })
  const headers = { authorization: `Bearer ${store.key}`, origin: 'http://example.com' }

  const list = await fetch(`${origin}/%761/pets`, { headers })
  const clock = await fetch(`${origin}/%74est-bench/clock`, { headers })

  assert.deepEqual([list.status, clock.status], [503, 200])
  assert.equal(clock.headers.get('access-control-allow-origin'), null)
  assert.deepEqual(
    (await store.requests()).map(({ operation, target }) => [operation, target]),
    [['listPets', '/%761/pets']],
  )
})

it('keeps a limited number of requests and of characters, the latest ones', () => {
  const journal = createJournal()
  const entry = { at: '', requestId: '', method: 'GET', isDeprecated: false, ignored: [] }
  for (let number = 0; number < 25_000; number++) {
    journal.add({ ...entry, target: '/v1/pets', headers: {} })
  }
  const counts = () => [journal.list().length, journal.dropped(), journal.list().at(-1)?.number]
  assert.deepEqual(counts(), [10_000, 15_000, 25_000])

  const wide = { ...entry, target: '/v1/pets', headers: { 'x-wide': 'x'.repeat(16_384) } }
  for (let number = 0; number < 1_500; number++) journal.add(wide)
  const late = journal.add(wide)
  assert.deepEqual(counts(), [1_023, 25_478, 26_501])

  journal.complete(late, { ...late, status: 200, body: 'x'.repeat(16_384) })
  assert.deepEqual(counts(), [1_022, 25_479, 26_501])
  journal.clear()
  journal.complete(late, { ...late, status: 200, body: 'x' })
  assert.deepEqual([journal.list().length, journal.dropped()], [0, 0])
})
