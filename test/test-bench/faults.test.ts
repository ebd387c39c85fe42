import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { call } from '../harness/petstore.ts'

type Store = Awaited<ReturnType<typeof startPetstore>>

const create = (store: Store, name = 'Rex') =>
  call(store, '/pets', { method: 'POST', body: { name, categoryId: 1 } })

const countIn = async (store: Store) =>
  ((await (await call(store, '/pets')).json()) as unknown[]).length

it('cuts the connection before the work, and after it', async () => {
  await using store = await startPetstore()

  await store.faults.add({ operation: 'createPet', times: 1, cut: 'before' })
  await assert.rejects(create(store), TypeError)
  assert.equal(await countIn(store), 0)

  await store.faults.add({ operation: 'createPet', times: 1, cut: 'after' })
  await assert.rejects(create(store), TypeError)
  assert.equal(await countIn(store), 1)

  assert.equal((await create(store)).status, 201)
  assert.deepEqual(
    (await store.faults.list()).map(({ applied }) => applied),
    [1, 1],
  )
})

it('cuts the connection within the header block, and within the body', async () => {
  await using store = await startPetstore({ seed: 3 })

  await store.faults.add({ operation: 'listPets', cut: 'headers' })
  await assert.rejects(call(store, '/pets'), TypeError)

  await store.faults.clear()
  await store.faults.add({ operation: 'listPets', cut: 'body' })
  const response = await call(store, '/pets')
  assert.equal(response.status, 200)
  await assert.rejects(response.text(), TypeError)
})

it('sends an error that the operation declares, without the work or in place of the response', async () => {
  await using store = await startPetstore()

  await store.faults.add({ operation: 'createPet', nth: 2, error: 'unavailable' })
  const statuses = []
  for (const name of ['a', 'b', 'c']) statuses.push((await create(store, name)).status)
  assert.deepEqual(statuses, [201, 503, 201])
  assert.equal(await countIn(store), 2)

  await store.faults.add({ status: 201, error: 'internal_error' })
  const lost = await create(store, 'd')
  assert.equal(lost.status, 500)
  assert.deepEqual(await lost.json(), {
    code: 'internal_error',
    message: 'The service failed, because a test asked for this error.',
    status: 500,
  })
  assert.equal(lost.headers.get('location'), null)
  assert.equal(await countIn(store), 3)

  await store.faults.clear()
  await store.faults.add({ error: 'insufficient_stock' })
  assert.equal((await create(store, 'e')).status, 201)
})

it('the same seed gives the same faults', async () => {
  await using store = await startPetstore()
  const run = async (seed: number) => {
    await store.reset()
    await store.faults.add({ operation: 'listPets', probability: 0.5, seed, error: 'unavailable' })
    const statuses: number[] = []
    for (let index = 0; index < 20; index++) statuses.push((await call(store, '/pets')).status)
    return statuses
  }

  const first = await run(1)

  assert.deepEqual(await run(1), first)
  assert.notDeepEqual(await run(2), first)
  assert.deepEqual([...new Set(first)].sort(), [200, 503])
})

it('a violation is any response; a delay and a drip change nothing but the time', async () => {
  await using store = await startPetstore({ seed: 2 })
  const whole = await (await call(store, '/pets')).text()

  const slow = await store.faults.add({ operation: 'listPets', delayMs: 30, dripMs: 1 })
  const started = performance.now()
  const response = await call(store, '/pets')
  assert.equal(await response.text(), whole)
  assert.ok(performance.now() - started >= 29)
  await store.faults.remove(slow.id)

  const violation = { status: 207, contentType: 'text/html', body: '<p>' }
  await store.faults.add({ operation: 'listPets', violation })
  const wrong = await call(store, '/pets')
  assert.deepEqual(
    [wrong.status, wrong.headers.get('content-type'), await wrong.text()],
    [207, 'text/html', '<p>'],
  )
})

it('Prefer asks for an error of one request, and for a pause', async () => {
  await using store = await startPetstore()
  const ask = (prefer: string) => call(store, '/pets', { headers: { prefer } })

  const byStatus = await ask('code=503')
  assert.deepEqual([byStatus.status, byStatus.headers.get('retry-after')], [503, '1'])
  assert.equal((await ask('code=insufficient_scope')).status, 403)
  assert.equal((await ask('code=200')).status, 200)
  const undeclared = await ask('code=409')
  assert.equal(undeclared.status, 400)
  assert.match(await undeclared.text(), /listPets declares no error \\"409\\"/)

  const started = performance.now()
  assert.equal((await ask('wait=0.03')).status, 200)
  assert.ok(performance.now() - started >= 29)
})

it('Prefer counts only with a key, and only for an operation', async () => {
  await using store = await startPetstore()
  const headers = { prefer: 'wait=600, code=503' }

  const withoutKey = await fetch(`${store.baseUrl}/pets`, { headers })
  const health = await fetch(`${store.baseUrl}/health/live`, { headers })

  assert.deepEqual([withoutKey.status, health.status], [401, 200])
})

it('refuses a fault that can never apply', async () => {
  await using store = await startPetstore()
  const cases: [object, RegExp][] = [
    [{ operation: 'sellPet', error: 'unavailable' }, /no operation "sellPet"/],
    [{ operation: 'createPets', error: 'unavailable' }, /did you mean createPet\?$/],
    [{ operation: 'listPets', error: 'insufficient_stock' }, /listPets declares no error/],
    [{ operation: 'listPets' }, /does nothing/],
    [{ error: 'unavailable', cut: 'after' }, /only one of error, cut and violation/],
    [{ status: 201, cut: 'before' }, /known only after the operation/],
    [{ cut: 'sideways' }, /cut must be one of before, after, headers, body/],
    [{ when: 'always', error: 'unavailable' }, /when is not a member of NewFault/],
  ]
  for (const [fault, sentence] of cases) {
    await assert.rejects(store.faults.add(fault as { error: 'unavailable' }), sentence)
  }
  assert.deepEqual(await store.faults.list(), [])
})

it('a stop does not wait for a pause', async () => {
  const store = await startPetstore()
  await store.faults.add({ operation: 'listPets', delayMs: 600_000 })
  const pending = call(store, '/pets').then(
    ({ status }) => status,
    () => 'cut',
  )
  await waitForRequest(store)

  await store.close()

  assert.equal(await pending, 200)
})

async function waitForRequest(store: Store) {
  while ((await store.requests()).length === 0) {
    // The request is on its way.
  }
}
