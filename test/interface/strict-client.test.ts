import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { createStrictClient, PetStoreError } from './strict-client.ts'

const withStatus = (status: number) => (error: unknown) =>
  error instanceof PetStoreError && error.body.status === status

it('a client that was written for 1.0.0 and never changed still works', async () => {
  await using store = await startPetstore({ firstId: 9007199254740993n })
  const client = createStrictClient(store.baseUrl, store.key, fetch)
  const stranger = createStrictClient(store.baseUrl, 'nobody', fetch)
  const bare = { name: 'Rex', categoryId: -9223372036854775808n }
  const whole = { name: 'Ida 🐕', categoryId: 9223372036854775807n, status: 'sold' } as const

  const first = await client.createPet(bare)
  const second = await client.createPet(whole)

  assert.deepEqual(first, { ...bare, id: 9007199254740993n })
  assert.deepEqual(second, { ...whole, id: 9007199254740994n })
  assert.deepEqual(await client.listPets(), [first, second])
  assert.deepEqual(await client.listPets({ limit: 1 }), [first])
  assert.deepEqual(await client.listPets({ status: 'sold', limit: 100 }), [second])
  assert.deepEqual(await client.listPets({ status: 'pending' }), [])
  assert.deepEqual(await client.getPet(second.id), second)
  await assert.rejects(client.getPet(1n), withStatus(404))
  await assert.rejects(client.createPet({ name: '', categoryId: 1n }), withStatus(400))
  await assert.rejects(stranger.listPets(), withStatus(401))
  await assert.rejects(stranger.createPet(bare), withStatus(401))
  await assert.rejects(stranger.getPet(1n), withStatus(401))
})

describe('the client refuses responses that the interface does not describe', () => {
  const pet = { id: 1, name: 'Rex', categoryId: 7 }
  const error = { code: 'c', message: 'm', status: 404 }
  const get = (body: unknown, init: ResponseInit = {}) => {
    const client = createStrictClient('http://store/v1', 'key', async () =>
      Response.json(body, init),
    )
    return client.getPet(1n)
  }
  const refused = { name: 'TypeError', message: /^The interface says: / }

  for (const [title, body, init] of [
    ['an added member', { ...pet, tag: 'x' }, {}],
    ['a status of null', { ...pet, status: null }, {}],
    ['an envelope', { data: pet }, {}],
    ['a status of success that is not described', pet, { status: 203 }],
    ['a status of failure that is not described', { ...error, status: 410 }, { status: 410 }],
    ['an error with an added member', { ...error, details: [] }, { status: 404 }],
  ] as [string, unknown, ResponseInit][]) {
    it(title, () => assert.rejects(get(body, init), refused))
  }

  it('a list in an envelope, or longer than its limit', async () => {
    for (const body of [{ items: [pet] }, Array.from({ length: 21 }, () => pet)]) {
      const answer = async () => Response.json(body)
      const client = createStrictClient('http://store/v1', 'key', answer)
      await assert.rejects(client.listPets(), refused)
    }
  })

  it('nothing else', async () => {
    assert.deepEqual(await get(pet), { id: 1n, name: 'Rex', categoryId: 7n })
    await assert.rejects(get(error, { status: 404 }), withStatus(404))
  })
})
