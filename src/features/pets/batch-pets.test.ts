import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { itInFull } from '../../../test/harness/extent.ts'

type Result = {
  id: number
  status: number
  pet?: Record<string, unknown>
  etag?: string
  error?: { code: string; message: string }
}

async function batch(api: TestApi, changes: readonly object[], headers = {}): Promise<Result[]> {
  const response = await api.post('/v1/pets/batch', { changes }, { headers })
  assert.equal(response.status, 200, response.text)
  return (response.json() as { results: Result[] }).results
}

const toldOf = (results: readonly Result[]) =>
  results.map(({ id, status, error }) => [id, status, ...(error ? [error.code] : [])])

it('200: each change has its own result, in the order of the request, by the rules of its operation', async () => {
  const { api } = await startApp()
  for (const status of ['available', 'sold', 'available', 'available'])
    await api.createPet({ status })
  await api.post('/v1/store/orders', { petId: 3 })

  const results = await batch(api, [
    { id: 4, delete: true },
    { id: 2, update: { status: 'pending' } },
    { id: 3, delete: true },
    { id: 99, update: { name: 'Nobody' } },
    { id: 1, update: { name: 'Max', status: 'pending' } },
    { id: 98, delete: true },
  ])

  assert.deepEqual(toldOf(results), [
    [4, 204],
    [2, 409, 'invalid_transition'],
    [3, 409, 'pet_in_open_order'],
    [99, 404, 'not_found'],
    [1, 200],
    [98, 404, 'not_found'],
  ])
  const max = results[4]
  const { text, headers } = await api.get('/v1/pets?id=1')
  assert.deepEqual([max?.pet], JSON.parse(text))
  assert.equal(max?.etag, headers.etag)
  assert.deepEqual(Object.keys(results[0] ?? {}), ['id', 'status'])
  const left = (await api.get('/v1/pets')).json() as { id: number; status: string }[]
  assert.deepEqual(
    left.map(({ id, status }) => [id, status]),
    [
      [1, 'pending'],
      [2, 'sold'],
      [3, 'pending'],
    ],
  )
})

it('200: a change is made only where ifMatch is current', async () => {
  const { api } = await startApp()
  for (const name of ['"Rex"', 'Max', 'Tom', 'Tim']) await api.createPet({ name })
  const tagOf = async (id: number) => (await api.get(`/v1/pets?id=${id}`)).headers.etag ?? ''
  const [first, second] = [await tagOf(1), await tagOf(2)]

  const results = await batch(api, [
    { id: 1, ifMatch: first, update: { name: 'Rex' } },
    { id: 2, ifMatch: first, update: { name: 'Rex' } },
    { id: 3, ifMatch: '*', delete: true },
    { id: 9, ifMatch: '*', delete: true },
    { id: 4, ifMatch: '"x"', delete: true },
  ])

  assert.deepEqual(toldOf(results), [
    [1, 200],
    [2, 412, 'precondition_failed'],
    [3, 204],
    [9, 404, 'not_found'],
    [4, 412, 'precondition_failed'],
  ])
  assert.equal(await tagOf(2), second)
  const again = await batch(api, [
    { id: 1, ifMatch: results[0]?.etag, update: { name: 'Rex II' } },
    { id: 2, ifMatch: second, delete: true },
  ])
  assert.deepEqual(toldOf(again), [
    [1, 200],
    [2, 204],
  ])
})

it('200: a batch has the results and the events of its changes one by one, in the order of ids', async () => {
  const changes = [
    { id: 8, update: { name: 'Ann', categoryId: 9, status: 'pending' } },
    { id: 1, update: { status: 'sold' } },
    { id: 2, update: { status: 'available' } },
    { id: 3, update: { status: 'available' } },
    { id: 7, delete: true },
    { id: 4, update: { name: 'Ann', status: 'sold' } },
    { id: 5, update: { name: 'Ann' } },
    { id: 6, update: { status: 'pending' } },
    { id: 9, ifMatch: '"other"', update: { name: 'Ann' } },
    { id: 10, delete: true },
  ]
  const stores = [await startApp(), await startApp()] as const
  for (const { api } of stores) {
    for (const status of ['available', 'sold', 'pending', 'available', 'available', 'sold'])
      await api.createPet({ status })
    for (const pet of [{}, {}, {}]) await api.createPet(pet)
    for (const petId of [4, 4, 5]) await api.post('/v1/store/orders', { petId })
    await api.send('PATCH', '/v1/inventory/5', { body: { quantity: 4 } })
  }
  const [{ api }, { api: other }] = stores

  const results = await batch(api, changes)

  const alone: Result[] = []
  for (const { id, ifMatch, update: body } of changes.toSorted((a, b) => a.id - b.id)) {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
    const sent = { headers, ...(body ? { body } : {}) }
    const response = await other.send(body ? 'PATCH' : 'DELETE', `/v1/pets/${id}`, sent)
    const { status } = response
    if (status === 204) alone.push({ id, status })
    else if (status === 200) {
      const pet = response.json() as Record<string, unknown>
      alone.push({ id, status, pet, etag: String(response.headers.etag) })
    } else {
      const { code, message } = response.json() as { code: string; message: string }
      alone.push({ id, status, error: { code, message } })
    }
  }
  assert.deepEqual(
    results.toSorted((a, b) => a.id - b.id),
    alone,
  )
  const eventsOf = async (one: TestApi) =>
    ((await one.get('/v1/events?after=1&limit=100')).json() as Record<string, unknown>[]).map(
      ({ type, data, previous }) => ({ type, data, previous }),
    )
  assert.deepEqual(await eventsOf(api), await eventsOf(other))
})

it('200: each change is an event of the key', async () => {
  const { api } = await startApp()
  for (let made = 0; made < 3; made++) await api.createPet()
  const before = Number((await api.get('/v1/events?limit=1')).headers['petstore-position'])

  await batch(api, [
    { id: 3, update: { name: 'Max' } },
    { id: 2, update: {} },
    { id: 9, delete: true },
    { id: 1, delete: true },
  ])

  const events = (await api.get(`/v1/events?after=${before}`)).json() as {
    type: string
    petId: number
    actor: { type: string }
  }[]
  assert.deepEqual(
    events.map(({ type, actor }) => [type, actor.type]),
    [
      ['pet.deleted', 'key'],
      ['pet.updated', 'key'],
    ],
  )
})

it('200: a repetition with the Idempotency-Key gets the first results; 422 for other changes', async () => {
  const { api } = await startApp()
  await api.createPet()
  const headers = { 'idempotency-key': 'undo' }
  const changes = [
    { id: 1, delete: true },
    { id: 2, delete: true },
  ]

  const first = await batch(api, changes, headers)

  assert.deepEqual(toldOf(first), [
    [1, 204],
    [2, 404, 'not_found'],
  ])
  const again = await api.post('/v1/pets/batch', { changes }, { headers })
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.deepEqual(again.json(), { results: first })
  const other = { changes: changes.slice(1) }
  const reused = await api.post('/v1/pets/batch', other, { headers })
  expectError(reused, 422, 'idempotency_key_reused')
})

it('400: a body that is invalid anywhere changes nothing', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'Rex' })
  const good = { id: 1, delete: true }
  const problemsOf = async (changes: unknown) => {
    const response = await api.post('/v1/pets/batch', { changes })
    expectError(response, 400, 'invalid_body')
    return response.text
  }

  assert.match(await problemsOf([good, good]), /changes\.1\.id is that of change 0 too/)
  assert.match(await problemsOf([good, { id: 2 }]), /changes\.1 must have either update or delete/)
  assert.match(await problemsOf([{ ...good, update: {} }]), /changes\.0 must have either/)
  assert.match(
    await problemsOf([good, { id: 2, update: { name: '' } }]),
    /changes\.1\.update\.name/,
  )
  assert.match(
    await problemsOf([good, { id: 2, delete: false }]),
    /changes\.1\.delete must be true/,
  )
  assert.match(await problemsOf([{ ...good, ifMatch: 'W/a' }]), /changes\.0\.ifMatch must be \*/)
  assert.match(await problemsOf([]), /changes must be an array of 1 to 1000 changes/)
  const tooMany = Array.from({ length: 1_001 }, (_, id) => ({ id: id + 1, update: {} }))
  assert.match(await problemsOf(tooMany), /changes must be an array of 1 to 1000 changes/)
  assert.equal((await api.get('/v1/pets')).text.includes('Rex'), true)
})

itInFull('200: a thousand changes at once, and a thousand deletions', async () => {
  const { api, context } = await startApp()
  const { createPet } = await import('./create-pet.ts')
  const ids = Array.from({ length: 1_000 }, (_, index) => index + 1)
  await Promise.all(ids.map(() => createPet(context, { name: 'Rex', categoryId: 1n })))

  const changed = await batch(
    api,
    ids.map((id) => ({ id, update: { name: 'R'.repeat(500) } })),
  )
  const deleted = await batch(
    api,
    ids.toReversed().map((id) => ({ id, delete: true })),
  )

  assert.ok(changed.every(({ status }) => status === 200))
  assert.deepEqual(
    deleted.map(({ id }) => id),
    ids.toReversed(),
  )
  assert.equal((await api.get('/v1/pets')).text, '[]')
})
