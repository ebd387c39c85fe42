import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { itInFull } from '../harness/extent.ts'
import { call } from '../harness/petstore.ts'

it('events: what changed since the reset, or behind a position; the journal does not list it', async () => {
  await using store = await startPetstore({ keys: [{ scopes: ['orders:read'] }] })
  await call(store, '/pets', { method: 'POST', body: { name: 'before', categoryId: 1 } })
  await store.reset('empty')
  assert.deepEqual(await store.events(), [])
  const body = { name: 'Rex', categoryId: 1, status: 'available' }
  await call(store, '/pets', { method: 'POST', body })
  const created = await store.events()
  await call(store, '/store/orders', { method: 'POST', body: { petId: 1 } })

  const [last] = created
  const later = await store.events(last?.id)

  assert.deepEqual(
    created.map(({ type, data }) => [type, data.name]),
    [['pet.created', 'Rex']],
  )
  assert.deepEqual(later.map(({ type }) => type).sort(), ['order.placed', 'pet.updated'])
  assert.deepEqual(later.find(({ type }) => type === 'pet.updated')?.previous, {
    status: 'available',
  })
  assert.equal((await store.requests()).length, 2)
})

itInFull('events: more than a page of them, and integers of 64 bits are exact', async () => {
  const categories = Array.from({ length: 1_001 }, (_, index) => ({ name: `category ${index}` }))
  const pets = [{ name: 'Rex', categoryId: 9_223_372_036_854_775_807n }]
  await using store = await startPetstore({ fixture: { categories, pets } })

  const events = await store.events()

  const ofStore = events.filter(({ type }) => !type.startsWith('key.'))
  assert.equal(ofStore.length, 1_002)
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
  const pet = events.find(({ type }) => type === 'pet.created')
  assert.equal(pet?.data.categoryId, 9_223_372_036_854_775_807n)
})
