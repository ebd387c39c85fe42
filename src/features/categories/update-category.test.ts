import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'

const patch = (api: TestApi, id: number, body: unknown) =>
  api.send('PATCH', `/v1/categories/${id}`, { body })

async function startWith(...names: string[]) {
  const app = await startApp()
  for (const name of names) {
    const created = await app.api.post('/v1/categories', { name, description: `${name}.` })
    assert.equal(created.status, 201)
  }
  return app
}

it('200: changes the sent fields and keeps the rest; reads and searches return the new state', async () => {
  const { api } = await startWith('Dogs', 'Cats')
  const list = async (query: string) => (await api.get(`/v1/categories?name=${query}`)).text

  const renamed = await patch(api, 1, { name: 'Hounds', id: 9, parent: null })
  const described = await patch(api, 1, { description: 'Everything that barks.' })
  const same = await patch(api, 1, {})

  assert.equal(renamed.text, '{"id":1,"name":"Hounds","description":"Dogs."}')
  assert.equal(described.text, '{"id":1,"name":"Hounds","description":"Everything that barks."}')
  assert.equal(same.text, described.text)
  assert.equal(same.headers.etag, described.headers.etag)
  assert.notEqual(described.headers.etag, renamed.headers.etag)
  assert.equal((await api.get('/v1/categories/1')).text, described.text)
  assert.equal(await list('hou'), `[${described.text}]`)
  assert.equal(await list('dog'), '[]')
  assert.match((await api.get('/v1/categories/2')).text, /"Cats"/)
})

it('200: null removes the description, and is never returned', async () => {
  const { api } = await startWith('Dogs')

  const removed = await patch(api, 1, { description: null })
  const again = await patch(api, 1, { description: null, name: 'Hounds' })

  assert.equal(removed.text, '{"id":1,"name":"Dogs"}')
  assert.equal(again.text, '{"id":1,"name":"Hounds"}')
  assert.equal((await api.get('/v1/categories')).text, `[${again.text}]`)
})

it('409: refuses a name that looks like that of another category; its own can change its case and spaces', async () => {
  const { api } = await startWith('Dogs', 'Straße')
  const before = await api.get('/v1/categories')

  for (const name of ['Straße', 'STRASSE', 'straẞe', ' Stra\u00adße']) {
    const refused = await patch(api, 1, { name, description: 'Another.' })
    expectError(refused, 409, 'category_exists')
    assert.match(refused.text, /There is a category called \\"Straße\\", with the id 2/)
  }
  assert.equal((await api.get('/v1/categories')).text, before.text)
  assert.match((await patch(api, 2, { name: 'STRASSE ' })).text, /"name":"STRASSE "/)
})

it('200: a name is free once its category has another', async () => {
  const { api } = await startWith('Dogs', 'Cats')

  await patch(api, 1, { name: 'Hounds' })

  assert.equal((await patch(api, 2, { name: 'dogs' })).status, 200)
  assert.equal((await api.post('/v1/categories', { name: 'Cats' })).status, 201)
  expectError(await api.post('/v1/categories', { name: 'HOUNDS' }), 409, 'category_exists')
})

it('200: of many categories that take one name at once, one gets it', async () => {
  const { api } = await startWith(...Array.from({ length: 8 }, (_, index) => `Category ${index}`))

  for (let round = 1; round <= amount({ quick: 1, full: 20 }); round++) {
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => patch(api, index + 1, { name: `Dogs ${round}` })),
      api.post('/v1/categories', { name: `DOGS ${round}` }),
    ])

    const done = answers.filter(({ status }) => status < 300)
    assert.equal(done.length, 1)
    for (const answer of answers.filter((one) => one !== done[0])) {
      expectError(answer, 409, 'category_exists')
    }
    assert.equal((await api.get(`/v1/categories?name=dogs%20${round}`)).text, `[${done[0]?.text}]`)
  }
})

it('400: reports all problems at once, and changes nothing', async () => {
  const { api } = await startWith('Dogs')
  const before = await api.get('/v1/categories')

  const all = await patch(api, 1, { name: '', description: 7 })

  expectError(all, 400, 'invalid_body')
  assert.match(all.text, /name must be.*description must be null to remove it.*received 7/)
  for (const wrong of [
    { name: null },
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { description: '' },
    { description: 'x'.repeat(2_001) },
    { description: 'a\u0000' },
    { description: ['a'] },
  ]) {
    const response = await patch(api, 1, { name: 'Hounds', ...wrong })
    expectError(response, 400, 'invalid_body')
  }
  assert.equal((await api.get('/v1/categories')).text, before.text)
})
