import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'

const patch = (api: TestApi, body: unknown, headers: Record<string, string> = {}) =>
  api.send('PATCH', '/v1/pets/1', { body, headers })
const idsOf = (answer: { json(): unknown }) =>
  (answer.json() as { id: number }[]).map(({ id }) => id)

it('200: changes the members that are sent and no others; the change can be read back', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'Rex', categoryId: 7 })
  await api.createPet({ name: 'Other' })
  const expected = { id: 1, name: 'Rex', categoryId: 7 }

  for (const change of [{ name: ' Max ' }, { categoryId: -8 }, { status: 'sold' }]) {
    const before = await api.get('/v1/pets/1')
    const response = await patch(api, change)

    assert.equal(response.status, 200)
    assert.deepEqual(response.json(), Object.assign(expected, change))
    assert.equal(response.headers['cache-control'], 'private, no-cache')
    assert.equal(response.headers.deprecation, undefined)
    assert.equal(response.headers.location, undefined)
    const after = await api.get('/v1/pets/1')
    assert.equal(after.text, response.text)
    assert.equal(after.headers.etag, response.headers.etag)
    assert.notEqual(after.headers.etag, before.headers.etag)
  }
  assert.match((await api.get('/v1/pets/2')).text, /"Other","categoryId":7\}/)
})

it('200: changes several members at once; filters and searches find the new values and not the old', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'Rex', categoryId: 7, status: 'available' })

  await patch(api, { name: 'Äneas', categoryId: 8, status: 'pending' })

  for (const query of ['name=än', 'name=ÄNEAS', 'categoryId=8', 'status=pending']) {
    assert.deepEqual(idsOf(await api.get(`/v1/pets?${encodeURI(query)}`)), [1], query)
  }
  for (const query of ['name=rex', 'categoryId=7', 'status=available']) {
    assert.deepEqual(idsOf(await api.get(`/v1/pets?${query}`)), [], query)
  }
})

it('200: an empty object, equal values and unknown members change nothing', async () => {
  const { api } = await startApp()
  const created = await api.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'available' })

  for (const change of [
    {},
    { name: 'Rex' },
    { name: 'Rex', categoryId: 7, status: 'available' },
    { id: 9, quantity: 5, owner: { name: null }, Name: 'Max' },
  ]) {
    const response = await patch(api, change)
    assert.equal(response.status, 200)
    assert.equal(response.text, created.text)
    assert.equal(response.headers.etag, created.headers.etag)
  }
  assert.match((await api.get('/v1/inventory')).text, /"quantity":1/)
})

it('400: reports all problems at once, and changes nothing', async () => {
  const { api } = await startApp()
  const created = await api.post('/v1/pets', { name: 'Rex', categoryId: 7, status: 'available' })

  const all = await patch(api, { name: ' ', categoryId: '7', status: 'lost' })

  expectError(all, 400, 'invalid_body')
  assert.match(
    all.text,
    /name must be.*categoryId must be a number, not a string; received \\"7\\".*status must be/,
  )
  for (const wrong of [
    { name: null },
    { categoryId: null },
    { status: null },
    { name: '' },
    { name: 7 },
    { name: 'x'.repeat(1001) },
    { name: 'a\u0000' },
    { name: '\ud800' },
    { name: ['Max'] },
    { categoryId: 1.5 },
    { categoryId: 1e30 },
    { status: 'Sold' },
    { status: '' },
  ]) {
    const response = await patch(api, { name: 'Max', categoryId: 8, status: 'sold', ...wrong })
    expectError(response, 400, 'invalid_body')
  }
  assert.equal((await api.get('/v1/pets/1')).text, created.text)
})
