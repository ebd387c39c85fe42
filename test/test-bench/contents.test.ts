import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { cases } from '../harness/extent.ts'
import { call } from '../harness/petstore.ts'

type Store = Awaited<ReturnType<typeof startPetstore>>

async function namesIn(store: Store): Promise<string[]> {
  const pets = (await (await call(store, '/pets')).json()) as { name: string }[]
  return pets.map(({ name }) => name)
}

async function addPet(store: Store, name: string): Promise<number> {
  const response = await call(store, '/pets', { method: 'POST', body: { name, categoryId: 1 } })
  assert.equal(response.status, 201)
  return ((await response.json()) as { id: number }).id
}

const shop = {
  categories: [{ name: 'Cats' }, { name: 'Dogs' }],
  pets: [
    { name: 'Rex', category: 'Dogs', status: 'available', quantity: 3 },
    { name: 'Tom', category: 'Cats' },
  ],
  orders: [{ pet: 'Rex', quantity: 2, status: 'shipped', reference: 'A1' }],
}

it('a reset begins another log of events: ids go on, and positions before it are gone', async () => {
  type Event = { id: number; type: string; actor: object }
  await using store = await startPetstore({ fixture: { pets: [{ name: 'Rex' }] } })
  const eventsOf = async (query = '') => await call(store, `/events${query}`)
  const [created] = (await (await eventsOf('?type=pet.created')).json()) as [Event]
  assert.deepEqual(created.actor, { type: 'command', name: 'test bench' })

  for (const to of [undefined, 'empty'] as const) {
    await store.reset(to)
    const id = await addPet(store, 'Tom')
    const events = (await (await eventsOf(`?petId=${id}`)).json()) as Event[]

    assert.deepEqual(
      events.map(({ type }) => type),
      ['pet.created'],
    )
    assert.ok(events.every((event) => event.id > created.id))
    assert.equal((await eventsOf(`?after=${created.id}`)).status, 410)
  }
})

it('resets to the demo pets of the start, of a number, and to empty', async () => {
  await using store = await startPetstore({ seed: 3 })
  const seeded = await namesIn(store)
  assert.equal(seeded.length, 3)
  for (const _ of [1, 2]) {
    await addPet(store, 'Rex')
    await store.reset()
    assert.deepEqual(await namesIn(store), seeded)
    assert.equal(await addPet(store, 'Tom'), 4)
  }

  await store.reset({ seed: 5 })
  assert.equal((await namesIn(store)).length, 5)

  await store.reset('empty')
  assert.deepEqual(await namesIn(store), [])
})

it('resets to a snapshot: pets, stock and orders', async () => {
  await using store = await startPetstore({ fixture: shop })
  const order = { method: 'POST', body: { petId: 1 } }
  await store.saveSnapshot('shop')
  assert.equal((await call(store, '/store/orders', order)).status, 201)
  assert.equal((await call(store, '/store/orders', order)).status, 409)

  await store.reset({ snapshot: 'shop' })

  const again = await call(store, '/store/orders', order)
  assert.deepEqual([again.status, ((await again.json()) as { id: number }).id], [201, 2])
  await store.saveSnapshot('sold')
  await store.deleteSnapshot('shop')
  assert.deepEqual(await store.listSnapshots(), ['sold'])
  await assert.rejects(store.reset({ snapshot: 'shop' }), /There is no snapshot called "shop"/)
  await assert.rejects(store.saveSnapshot('at the start'), /letters, digits, - and _/)
})

it('resets to a snapshot: assigned ids and idempotency keys', async () => {
  await using store = await startPetstore()
  const create = async (name: string) => {
    const response = await call(store, '/categories', {
      method: 'POST',
      body: { name },
      headers: { 'idempotency-key': `create ${name}` },
    })
    const isReplayed = response.headers.get('idempotency-replayed') === 'true'
    return { id: ((await response.json()) as { id: number }).id, isReplayed }
  }
  await create('Cats')
  await call(store, '/categories/1', { method: 'DELETE' })
  await store.saveSnapshot('deleted')
  assert.deepEqual(await create('Dogs'), { id: 2, isReplayed: false })

  await store.reset({ snapshot: 'deleted' })

  assert.deepEqual(await create('Cats'), { id: 1, isReplayed: true })
  assert.deepEqual(await create('Dogs'), { id: 2, isReplayed: false })
})

it('loads a fixture: categories, pets and orders by name', async () => {
  await using store = await startPetstore()

  await store.reset({ fixture: shop })

  const pets = await call(store, '/pets')
  assert.deepEqual(await pets.json(), [
    { id: 1, name: 'Rex', categoryId: 2, status: 'available' },
    { id: 2, name: 'Tom', categoryId: 1 },
  ])
  const [order] = (await (await call(store, '/store/orders')).json()) as Record<string, unknown>[]
  const { petId, quantity, status, reference } = order ?? {}
  assert.deepEqual([petId, quantity, status, reference], [1, 2, 'shipped', 'A1'])
})

it('refuses a fixture with the messages of the service, and where they apply', async () => {
  await using store = await startPetstore()
  const cases: [object, RegExp][] = [
    [{ pets: [{ name: '' }] }, /pets\.0\.name must be/],
    [{ pets: [{ name: 'Rex', category: 'Cats' }] }, /pets\.0\.category must be the name of/],
    [{ pets: [{ name: 'Rex', staus: 'sold' }] }, /pets\.0\.staus .*did you mean status/],
    [{ pets: [{ name: 'Rex', categry: 'Dogs' }] }, /\.categry .* did you mean category\?$/],
    [
      { pets: [{ nme: 'Rex', status: 'sold' }] },
      /is missing; pets\.0\.nme .* did you mean name\?$/,
    ],
    [{ pets: {} }, /pets must be an array/],
    [{ owners: [] }, /owners is not a member of the fixture; did you mean orders/],
    [{ orders: [{ pet: 'Rex' }] }, /orders\.0\.pet must be the name/],
    [{ orders: [{ petId: 9 }] }, /orders\.0 There is no pet with the id 9/],
    [{ ...shop, orders: [{ pet: 'Rex', quantity: 4 }] }, /orders\.0 .*3/],
    [{ ...shop, orders: [{ pet: 'Rex', status: 'lost' }] }, /orders\.0\.status must be one of/],
    [{ categories: [{ name: 'Cats' }, { name: 'cats' }] }, /categories\.1 .*[Cc]ats/],
  ]
  for (const [fixture, sentence] of cases) await assert.rejects(store.reset({ fixture }), sentence)
  await assert.rejects(startPetstore({ fixture: { pets: 7 } }), /pets must be an array/)
})

for (const as of cases(['in-process', 'child'] as const, { quickEvery: 2 })) {
  it(`${as}: all options together, and a reset to the contents of the start`, async () => {
    await using store = await startPetstore({
      as,
      now: '2030-01-01T00:00:00Z',
      firstId: 7n,
      seed: 3,
      fixture: { pets: [{ name: 'Rex', status: 'available' }, { name: 'Tom' }] },
      orderHoldMs: 900_000,
      strict: true,
      keys: [{ scopes: ['pets:read'] }, { expired: true }, { revoked: true }],
    })
    const atStart = await namesIn(store)
    assert.deepEqual([atStart.length, ...atStart.slice(3)], [5, 'Rex', 'Tom'])
    await addPet(store, 'Max')
    await store.reset()

    assert.deepEqual(await namesIn(store), atStart)
    assert.equal(await addPet(store, 'Max'), 12)
    assert.equal((await call(store, '/pets?stats=sold')).status, 400)
    const ordered = await call(store, '/store/orders', { method: 'POST', body: { petId: 10 } })
    assert.match(await ordered.text(), /"expiresAt":"2030-01-01T00:1/)
    const statuses = store.keys.map(async (key) => (await call({ ...store, key }, '/pets')).status)
    assert.deepEqual(await Promise.all(statuses), [200, 401, 401])
  })
}

it('resets and snapshots at the same time are made one after another', async () => {
  await using store = await startPetstore()
  const pets = (name: string) => ['1', '2'].map((number) => ({ name: `${name}${number}` }))

  await Promise.all([
    ...['a', 'b'].flatMap((name) => [store.saveSnapshot(name), store.saveSnapshot(name)]),
    ...['C', 'D', 'E'].map((name) =>
      store.reset({ fixture: { categories: [{ name: 'Dogs' }], pets: pets(name) } }),
    ),
    store.reset({ snapshot: 'a' }),
    store.reset({ fixture: { categories: [{ name: 'Dogs' }], pets: pets('F') } }),
  ])

  assert.deepEqual(await namesIn(store), ['F1', 'F2'])
})

it('a reset that is refused changes nothing', async () => {
  await using store = await startPetstore({ fixture: shop })
  const fault = await store.faults.add({ operation: 'deletePet', error: 'not_found' })
  await store.clock.freeze()
  const now = await store.clock.set('2030-01-01T00:00:00Z')
  await addPet(store, 'Max')
  const inOrders = await (await call(store, '/store/orders')).text()

  await assert.rejects(
    store.reset({ fixture: { pets: [{ name: 'Kim' }, { name: '' }] } }),
    /pets.1/,
  )
  await assert.rejects(store.reset({ snapshot: 'none' }), /none/)

  assert.deepEqual(await namesIn(store), ['Rex', 'Tom', 'Max'])
  assert.equal(await (await call(store, '/store/orders')).text(), inOrders)
  assert.deepEqual([await store.clock.now(), await store.faults.list()], [now, [fault]])
  assert.ok((await store.requests()).length > 0)
  assert.equal(await addPet(store, 'Kim'), 4)
})
