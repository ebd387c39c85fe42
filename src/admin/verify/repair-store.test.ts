import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { storage } from '../../app/storage.ts'
import { type Result, repairStore, verifyStore } from './verify-store.ts'

it('a repair whose finding was already corrected, or whose row is gone, changes nothing', async () => {
  const { api, context } = await startApp()
  const headers = { 'idempotency-key': 'order' }
  const pet = await api.createPet({ name: 'Ünder', status: 'available' })
  await api.post('/v1/categories', { name: 'Dogs' })
  const order = await api.post('/v1/store/orders', { petId: pet.id }, { headers })
  const lists = ['/v1/pets', '/v1/store/orders', '/v1/inventory', '/v1/categories?name=DOGS']
  const listAll = () => Promise.all(lists.map(async (url) => (await api.get(url)).text))
  const before = await listAll()

  const late = ['1', '99'].flatMap((id) => [
    planned('stock', 'pets', id),
    planned('openOrders', 'orders', id),
    planned('ids', 'orders', id),
    planned('words', 'pets', id),
    planned('nameKeys', 'pets', id),
    planned('nameKeys', 'categories', id),
    planned('events', 'events', id),
    planned('detailsPets', 'details', id),
    planned('tags', 'details', id),
    planned('photoPets', 'photos', id),
    planned('photoFiles', 'photos', id),
  ])
  await repairStore(context, storage.checks, late)

  const repairable = storage.checks.filter(({ repair }) => repair).map(({ name }) => name)
  assert.deepEqual(repairable.sort(), [...new Set(late.map(({ name }) => name))].sort())
  assert.deepEqual(await listAll(), before)
  const again = await api.post('/v1/store/orders', { petId: pet.id }, { headers })
  assert.deepEqual([again.status, again.text], [201, order.text])
  assert.equal(again.headers['idempotency-replayed'], 'true')
  for await (const { findings } of verifyStore(context, storage.checks))
    assert.deepEqual(findings, [])
})

function planned(name: string, table: string, id: string): Result {
  const finding = { record: { table, id }, message: 'It was so.', repair: 'fix it' }
  return { name, promise: '', findings: [finding] }
}
