import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { loadMigrations } from '../../src/db/schema/migrate.ts'
import { request } from '../consistency/creates/clients.ts'
import { expectError } from '../harness/app.ts'
import { anOldStore, oldKey } from '../harness/old-stores.ts'
import { aDirectory, petstore } from '../processes/command.ts'
import { startService } from '../processes/process.ts'

/** The migrations of the first release. */
const last = '0005_create_environment'
/** The scopes of the first release, in the order in which keys have them. */
const allScopes = 'pets:read pets:write orders:read'

/** Names that SQLite, PostgreSQL and JavaScript each fold in their own way. */
const names = ['Rex', 'ÄFFCHEN', 'STRASSE', 'Straße', 'ΟΔΟΣ', 'İstanbul', "D'or_100%", '🐕 Bo']
const statuses = ['available', 'pending', 'sold', undefined] as const

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a store of 1.0.0 on ${engine}`, () => {
    const full = oldKey(engine, allScopes)
    const restricted = ['pets:read', 'orders:read', 'pets:read pets:write'].map((scopes) => ({
      scopes,
      ...oldKey(engine, scopes),
    }))

    /** A pet of each name in each status, keys, and orders that are over. */
    async function makeStore(t: TestContext) {
      const store = await anOldStore(t, engine, last)
      const pets = names.flatMap((name) => statuses.map((status) => ({ name, status })))
      const values = pets.map(({ name, status }) => {
        const text = name.replaceAll("'", "''")
        return `('${text}', 7, ${status === undefined ? 'null' : `'${status}'`})`
      })
      await store.run(`insert into pets (name, category_id, status) values ${values.join(', ')};
        insert into orders (pet_id, quantity, status, reference, created_at, ship_date) values
          (3, 1, 'delivered', 'for Ann', 1767225600000, 1767225600001),
          (1, 2, 'cancelled', null, 1767225600000, null);
        insert into environment (id, name) values (1, 'production');
        ${[full, ...restricted].map(({ insert }) => insert).join('; ')}`)
      return { store, pets: pets.map((pet, index) => ({ id: index + 1, categoryId: 7, ...pet })) }
    }

    const settings = (address: string) => ({ PETSTORE_DATABASE: address, PETSTORE_PORT: '0' })

    function serve(t: TestContext, address: string) {
      const keyFile = join(aDirectory(t), 'first-key')
      // A store that has keys issues none; this is where the helper looks for one.
      writeFileSync(keyFile, full.key)
      return startService({ env: { ...settings(address), PETSTORE_FIRST_KEY_FILE: keyFile } })
    }

    async function expectUpgraded(t: TestContext, address: string, pets: Pet[]) {
      await using service = await serve(t, address)
      const ask = (path: string, more: Sent = {}) =>
        request(`${service.baseUrl}${path}`, { key: full.key, ...more })
      const list = async <T>(path: string) => JSON.parse((await ask(path)).text) as T[]

      assert.deepEqual(
        await list<Pet>('/pets?limit=100'),
        pets.map(({ status, ...pet }) => (status === undefined ? pet : { ...pet, status })),
      )
      for (const status of ['available', 'pending', 'sold']) {
        const found = await list<Pet>(`/pets?limit=100&status=${status}`)
        const expected = pets.filter((pet) => pet.status === status)
        assert.deepEqual(
          found.map(({ id }) => id),
          expected.map(({ id }) => id),
        )
      }
      assert.deepEqual(
        await list('/inventory?limit=100'),
        pets
          .filter(({ status }) => status !== undefined)
          .map(({ id, status }) => ({ petId: id, quantity: status === 'sold' ? 0 : 1, status })),
      )
      await expectSearches(list, pets)
      assert.deepEqual(
        (await list<{ status: string }>('/store/orders')).map(({ status }) => status),
        ['delivered', 'cancelled'],
      )
      await expectScopes(ask)
    }

    async function expectScopes(ask: Ask) {
      const order = { method: 'POST', body: '{"petId":1}' }
      const count = { method: 'PATCH', body: '{"quantity":4}' }
      for (const { key, scopes } of restricted) {
        for (const [path, more, scope] of [
          ['/store/orders', order, 'orders:write'],
          ['/inventory', {}, 'inventory:read'],
          ['/inventory/1', count, 'inventory:write'],
        ] as const) {
          const { status, headers, text } = await ask(path, { ...more, key })
          const answer = { status, headers: headers as Record<string, string>, text }
          expectError(answer, 403, 'insufficient_scope')
          assert.match(text, new RegExp(scope))
        }
        const canRead = (await ask('/pets', { key })).status === 200
        assert.equal(canRead, scopes.includes('pets:read'))
      }
      assert.equal((await ask('/inventory/1', count)).status, 200)
      assert.equal((await ask('/store/orders', order)).status, 201)
      assert.equal((await ask('/categories', { method: 'POST', body: '{"name":"A"}' })).status, 201)
    }

    it('keeps its pets, orders and keys, and gains stock, searches and new scopes', async (t) => {
      const { store, pets } = await makeStore(t)

      await expectUpgraded(t, store.address, pets)

      const expected = ['default', ...restricted.map(({ scopes }) => scopes)]
      assert.deepEqual(await store.list('select scopes from keys order by id'), expected)
    })

    it('reserves stock for its open orders, and reuses no id', async (t) => {
      const store = await anOldStore(t, engine, last)
      await store.run(`insert into pets (name, category_id, status) values
          ('Rex', 7, 'available'), ('Tom', 7, 'sold'), ('Ada', 7, 'available'), ('Ida', 7, null);
        delete from pets where id = 4;
        insert into orders (pet_id, quantity, status, created_at, ship_date) values
          (1, 1, 'pending', 1767225600000, null), (2, 2, 'shipped', 1767225600000, 1767225600001);
        insert into environment (id, name) values (1, 'production');
        ${full.insert}`)
      await using service = await serve(t, store.address)
      const ask = (path: string, more: Sent = {}) =>
        request(`${service.baseUrl}${path}`, { key: full.key, ...more })

      assert.deepEqual(JSON.parse((await ask('/inventory')).text), [
        { petId: 1, quantity: 1, status: 'pending' },
        { petId: 2, quantity: 2, status: 'sold' },
        { petId: 3, quantity: 1, status: 'available' },
      ])
      const cancelled = await ask('/store/orders/1', { method: 'DELETE' })
      const delivered = await ask('/store/orders/2/deliver', { method: 'POST' })
      const created = await ask('/pets', { method: 'POST', body: '{"name":"Bo","categoryId":7}' })

      assert.deepEqual([cancelled.status, delivered.status], [204, 200])
      assert.equal(created.text, '{"id":5,"name":"Bo","categoryId":7}')
      assert.deepEqual(JSON.parse((await ask('/inventory?petId=2')).text), [
        { petId: 2, quantity: 0, status: 'sold' },
      ])
    })

    it('continues an interrupted upgrade', async (t) => {
      const { store, pets } = await makeStore(t)
      const applied = () => store.list('select name from migrations order by name')
      // The fourth migration would create what is there already, so it fails.
      await store.run('create table idempotency_keys (id integer)')

      const exit = await petstore(['serve', '--json'], { env: settings(store.address) })
      const afterFirst = await applied()
      await store.run('drop table idempotency_keys')

      assert.notEqual(exit.code, 0)
      assert.equal(exit.stdout, '')
      assert.deepEqual(afterFirst.slice(-2), ['0008_index_name_keys', '0009_create_categories'])
      await expectUpgraded(t, store.address, pets)
      const all = loadMigrations(engine).map(({ name }) => name)
      assert.deepEqual(await applied(), all)
    })
  })
}

type Pet = { id: number; name: string; categoryId: number; status?: string | undefined }
type Sent = { key?: string; method?: string; body?: string }
type Ask = (path: string, more?: Sent) => ReturnType<typeof request>

async function expectSearches(list: <T>(path: string) => Promise<T[]>, pets: readonly Pet[]) {
  for (const [search, ...found] of [
    ['rex', 'Rex'],
    ['äff', 'ÄFFCHEN'],
    ['strasse', 'STRASSE', 'Straße'],
    ['οδοσ', 'ΟΔΟΣ'],
    ['i\u0307STAN', 'İstanbul'],
    ["d'OR_100%", "D'or_100%"],
    ['🐕 b', '🐕 Bo'],
    ['affchen'],
    ['_ex'],
    ['%'],
  ] as const) {
    const listed = await list<Pet>(`/pets?limit=100&name=${encodeURIComponent(search)}`)
    const expected = pets.filter(({ name }) => (found as readonly string[]).includes(name))
    assert.deepEqual(
      listed.map(({ id }) => id),
      expected.map(({ id }) => id),
      search,
    )
  }
}
