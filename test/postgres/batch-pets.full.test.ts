import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createPet } from '../../src/features/pets/create-pet.ts'
import { createOrder } from '../../src/features/sales/create-order.ts'
import { startApp } from '../harness/app.ts'
import { startFaultProxy } from '../processes/fault-proxy.ts'
import { anyPostgres } from '../processes/postgres.ts'

const many = 40
/** Jobs of the service run statements of their own meanwhile. */
const othersMax = 20

it('200: many changes of every kind take as many statements as one of each, and so do those of an import', async (t) => {
  const server = await anyPostgres()
  const address = new URL(await server.createDatabase())
  const proxy = await startFaultProxy(Number(address.port))
  const throughProxy = Object.assign(new URL(address), { port: String(proxy.port) })
  const { api, context } = await startApp({ settings: { PETSTORE_DATABASE: throughProxy.href } })
  t.after(async () => {
    await proxy.close()
    await server.dropDatabase(address.href)
    await server.stop()
  })
  const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const
  const pets = await Promise.all(
    Array.from({ length: 12 * (many + 1) }, () => createPet(context, pet)),
  )
  const ids = pets.map(({ id }) => Number(id))
  const take = (count: number) => ids.splice(0, count)
  /** The changes of this many pets of each kind, the outcome of each, and how many statements they took. */
  async function change(count: number) {
    const held = take(2 * count)
    await Promise.all(held.map((id) => createOrder(context, { petId: BigInt(id), quantity: 1 })))
    const changes = [
      ...take(count).map((id) => ({ id, update: { name: `Max ${id}`, categoryId: 2 } })),
      ...take(count).map((id) => ({ id, update: { status: 'sold' } })),
      ...take(count).map((id) => ({ id, delete: true })),
      ...held.slice(count).map((id) => ({ id, update: { status: 'sold' } })),
      ...held.slice(0, count).map((id) => ({ id, delete: true })),
      ...take(count).map((id) => ({ id, ifMatch: '"other"', delete: true })),
      ...take(count).map((id) => ({ id: id + 100_000, delete: true })),
    ]
    const before = proxy.statements
    const response = await api.post('/v1/pets/batch', { changes })
    const statements = proxy.statements - before
    const { results } = response.json() as { results: { status: number }[] }
    return { statements, statuses: results.map(({ status }) => status) }
  }
  async function importRows(count: number) {
    const rows = take(count).map((id) => `${id},Tom ${id}\n`)
    const before = proxy.statements
    const sent = { rawBody: `id,name\n${rows.join('')}`, headers: { 'content-type': 'text/csv' } }
    const response = await api.send('POST', '/v1/pets/import', sent)
    assert.match(response.text, new RegExp(`"updated":${count},`))
    return proxy.statements - before
  }

  const one = await change(1)
  const all = await change(many)

  const expected = [200, 200, 204, 409, 409, 412, 404]
  assert.deepEqual(one.statuses, expected)
  assert.deepEqual(
    all.statuses,
    expected.flatMap((status) => Array(many).fill(status)),
  )
  assert.ok(all.statements <= one.statements + othersMax, `${one.statements}, ${all.statements}`)
  const [few, more] = [await importRows(1), await importRows(many)]
  assert.ok(more <= few + othersMax, `${few}, ${more}`)
})
