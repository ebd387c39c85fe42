import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'

type ListAnswer = { headers: Record<string, string>; json(): unknown }

const idsOf = (answer: ListAnswer) => (answer.json() as { id: number }[]).map(({ id }) => id)

async function startWith(names: readonly string[]) {
  const app = await startApp()
  for (const name of names) {
    assert.equal((await app.api.post('/v1/categories', { name })).status, 201)
  }
  return app
}

it('200: a bare array, empty at first; creating a pet adds no category', async () => {
  const { api } = await startApp()
  await api.createPet({ categoryId: 1 })

  const response = await api.get('/v1/categories')

  assert.equal(response.text, '[]')
  for (const name of ['link', 'x-total-count', 'etag', 'deprecation']) {
    assert.equal(response.headers[name], undefined, name)
  }
})

it('200: filters by id, by a prefix of the name, and by both; counts the matches', async () => {
  const { api } = await startWith(['Dogs', 'dogfish', 'Cats', 'Äpfel', '%', 'Do'])
  const ask = (query: string) =>
    api.get(`/v1/categories?${encodeURI(query)}`, { headers: { prefer: 'count=exact' } })

  for (const [query, ids] of [
    ['id=3&id=1&id=99&id=3', [1, 3]],
    ['name=DOG', [1, 2]],
    ['name=do', [1, 2, 6]],
    ['name=do&sort=-id', [6, 2, 1]],
    ['name=do&id=2&id=3&id=6', [2, 6]],
    ['name=ä', [4]],
    ['name=a', []],
    ['name=%', [5]],
    ['name=_', []],
    ['name=ogs', []],
  ] as const) {
    const response = await ask(query)
    assert.deepEqual(idsOf(response), ids, query)
    assert.equal(response.headers['x-total-count'], String(ids.length), query)
  }
})
