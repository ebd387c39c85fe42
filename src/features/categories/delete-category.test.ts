import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { verifyStore } from '../../admin/verify/verify-store.ts'
import { storage } from '../../app/storage.ts'

const remove = (api: TestApi, id: number) => api.send('DELETE', `/v1/categories/${id}`)

async function startWith(...names: string[]) {
  const app = await startApp()
  for (const name of names) await app.api.post('/v1/categories', { name })
  return app
}

it('204: the category is gone from reads and lists; the others stay', async () => {
  const { api } = await startWith('Dogs', 'Cats', 'Birds')

  const response = await remove(api, 2)

  assert.equal(response.status, 204)
  assert.equal(response.text, '')
  assert.equal(response.headers.etag, undefined)
  expectError(await api.get('/v1/categories/2'), 404, 'not_found')
  const rest = '[{"id":1,"name":"Dogs"},{"id":3,"name":"Birds"}]'
  assert.equal((await api.get('/v1/categories')).text, rest)
  assert.equal((await api.get('/v1/categories?id=2')).text, '[]')
  assert.equal((await api.get('/v1/categories?name=cat')).text, '[]')
})

it('204: pets keep the number of their category, and are found by it', async () => {
  const { api } = await startWith('Dogs')
  const pet = await api.createPet({ categoryId: 1, status: 'available' })

  await remove(api, 1)

  assert.deepEqual((await api.get('/v1/pets?categoryId=1')).json(), [pet])
  assert.equal((await api.createPet({ categoryId: 1 })).categoryId, 1)
  assert.equal((await api.post('/v1/store/orders', { petId: pet.id })).status, 201)
})

it('204: its name is free, its id is never used again', async () => {
  const { api } = await startWith('Dogs', 'Cats')

  await remove(api, 2)
  const created = await api.post('/v1/categories', { name: 'CATS' })

  assert.equal(created.text, '{"id":3,"name":"CATS"}')
})

it('204: of many concurrent deletions of one category one succeeds', async () => {
  const { api } = await startWith('Dogs')

  const answers = await Promise.all(Array.from({ length: 8 }, () => remove(api, 1)))

  assert.equal(answers.filter(({ status }) => status === 204).length, 1)
  assert.equal(answers.filter(({ status }) => status === 404).length, 7)
})

it('201: a repeated creation gets its first response, and verify finds nothing wrong', async () => {
  const { api, context } = await startApp()
  const create = () =>
    api.post('/v1/categories', { name: 'Dogs' }, { headers: { 'idempotency-key': 'dogs-1' } })
  const first = await create()
  await remove(api, 1)

  const second = await create()

  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.deepEqual([second.text, second.headers.etag], [first.text, first.headers.etag])
  assert.equal((await api.get('/v1/categories')).text, '[]')
  for await (const { name, findings } of verifyStore(context, storage.checks))
    assert.deepEqual(findings, [], name)
})
