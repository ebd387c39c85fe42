import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

it('201: adds a category and returns it with its id; the list shows it', async () => {
  const { api } = await startApp()

  const response = await api.post('/v1/categories', { name: 'Dogs', description: 'Of any size.' })

  assert.equal(response.status, 201)
  assert.deepEqual(response.json(), { id: 1, name: 'Dogs', description: 'Of any size.' })
  assert.equal(response.headers['cache-control'], 'private, no-cache')
  assert.match(response.headers.etag ?? '', /^"[\w-]{22}"$/)
  assert.equal((await api.get('/v1/categories')).text, `[${response.text}]`)
})

it('201: an omitted description stays absent; unknown members are ignored', async () => {
  const { api } = await startApp()
  await api.post('/v1/categories', { name: 'First' })

  const response = await api.post('/v1/categories', { id: 9, name: ' Dogs ', parent: { id: 1 } })

  assert.equal(response.text, '{"id":2,"name":" Dogs "}')
  assert.match((await api.get('/v1/categories')).text, /^\[\{"id":1,"name":"First"\},/)
})

it('409: refuses a name that looks like that of another category; stores nothing', async () => {
  const { api } = await startApp()
  const names = ['Dogs', 'Straße', 'Äffchen', 'ΟΔΟΣ', '\u{10400}', '🐕', ' Big  cats', 'ﷺ']
  for (const name of names) await api.post('/v1/categories', { name })
  const before = await api.get('/v1/categories')

  for (const [id, others] of Object.entries({
    1: [
      'Dogs',
      'dogs',
      'DOGS',
      'Dogs ',
      '\u00a0Dogs',
      'D\u200bogs',
      'Dogs\u00ad',
      'Ｄｏｇｓ',
      '𝐃ogs',
    ],
    2: ['STRASSE', 'strasse', 'STRAẞE'],
    3: ['äFFCHEN', 'A\u0308ffchen', 'Äﬀchen'],
    4: ['οδος', 'οδοσ'],
    5: ['\u{10428}'],
    6: ['🐕'],
    7: ['Big cats', 'big\u2003CATS\u3000', '\ufeffBig\u200d \u2060cats'],
    8: ['صلى الله عليه وسلم'],
  })) {
    for (const name of others) {
      const response = await api.post('/v1/categories', { name, description: 'Another.' })
      expectError(response, 409, 'category_exists')
      const { message } = response.json() as { message: string }
      const called = `There is a category called "${names[Number(id) - 1]}", with the id ${id}`
      assert.ok(message.startsWith(called), message)
    }
  }
  assert.equal((await api.get('/v1/categories')).text, before.text)
})

it('201: names that do not look alike are different names, stored as they came', async () => {
  const { api } = await startApp()

  for (const name of [
    'Dogs ',
    'Dog',
    'Do gs',
    'D%gs',
    'D_gs',
    'Do\u0308gs',
    'Dög',
    'Dоgs',
    '\u200b',
    'ﷺ'.repeat(100),
    'x'.repeat(100),
    'x'.repeat(99),
    'ß'.repeat(100),
    'ß'.repeat(99),
    '\u0390'.repeat(100),
  ]) {
    const response = await api.post('/v1/categories', { name })
    assert.equal(response.status, 201, name)
    assert.equal((response.json() as { name: string }).name, name)
  }
})

it('201 once, else 409: concurrent creates of one name, in any case', async () => {
  const { api } = await startApp()
  const names = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'Dogs' : 'DOGS'))

  const answers = await Promise.all(names.map((name) => api.post('/v1/categories', { name })))

  const [created, ...others] = answers.filter(({ status }) => status === 201)
  assert.ok(created)
  assert.equal(others.length, 0)
  for (const answer of answers.filter((one) => one !== created)) {
    expectError(answer, 409, 'category_exists')
  }
  assert.equal((await api.get('/v1/categories')).text, `[${created.text}]`)
})

it('400: reports all problems at once, and stores nothing', async () => {
  const { api } = await startApp()

  const all = await api.post('/v1/categories', { name: '', description: 7 })

  expectError(all, 400, 'invalid_body')
  assert.match(all.text, /name must be.*description must be a string, not a number; received 7/)
  for (const wrong of [
    { name: null },
    { name: undefined },
    { name: ' ' },
    { name: 'a\nb' },
    { name: '\ud800' },
    { name: 'x'.repeat(101) },
    { name: '😀'.repeat(101) },
    { name: ['Dogs'] },
    { description: null },
    { description: '' },
    { description: 'x'.repeat(2_001) },
  ]) {
    expectError(await api.post('/v1/categories', { name: 'Dogs', ...wrong }), 400, 'invalid_body')
  }
  assert.equal((await api.get('/v1/categories')).text, '[]')
})

it('201: a pet may name a category that does not exist', async () => {
  const { api } = await startApp()
  await api.post('/v1/categories', { name: 'Dogs' })

  const pet = await api.createPet({ categoryId: 99 })

  assert.equal(pet.categoryId, 99)
  assert.equal((await api.get('/v1/categories?id=99')).text, '[]')
})
