import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { sampleOf } from '../harness/exposition.ts'
import { until } from '../harness/until.ts'
import { startMetered } from '../http/start-metered.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'

const server = await anyPostgres()
after(() => server.stop())

it('metrics show what writes wait for: the queue and its age, connections in use; and the size of the database', async (t) => {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  const { api, close, scrape } = await startMetered(t, { PETSTORE_DATABASE: address })
  await api.createPet({ status: 'available' })
  const session = await openSession(t, address)
  await session.query('begin')
  await session.query('select from pets for update')

  const ordered = api.post('/v1/store/orders', { petId: 1 })
  const used = (text: string) => sampleOf(text, 'petstore_postgres_connections', { state: 'used' })
  let text = ''
  await until(async () => {
    text = await scrape()
    return sampleOf(text, 'petstore_queue_length', { queue: 'writes' }) === 1 && used(text) === 1
  })
  const waited = sampleOf(text, 'petstore_queue_oldest_seconds', { queue: 'writes' }) ?? 0
  await session.query('rollback')
  assert.equal((await ordered).status, 201)
  let idle = ''
  // A connection is given back after the response.
  await until(async () => {
    idle = await scrape()
    return sampleOf(idle, 'petstore_queue_length', { queue: 'writes' }) === 0 && used(idle) === 0
  })
  await close()

  assert.ok(waited > 0, `${waited} s`)
  assert.equal(sampleOf(text, 'petstore_queue_length', { queue: 'connections' }), 0)
  assert.equal(sampleOf(text, 'petstore_postgres_connections_max'), 16)
  assert.equal(sampleOf(idle, 'petstore_changes_total', { type: 'order.placed' }), 1)
  assert.ok((sampleOf(idle, 'petstore_database_size_bytes') ?? 0) > 1e6)
  assert.equal(sampleOf(idle, 'petstore_disk_free_bytes'), undefined)
})
