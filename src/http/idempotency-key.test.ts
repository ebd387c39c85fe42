import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, expectError, startApp, type TestApi } from '../../test/harness/app.ts'
import { readLists } from '../../test/harness/mirror.ts'
import { fillStore } from '../../test/harness/operations.ts'

const create = (api: TestApi, key: string) =>
  api.post('/v1/pets', aPet(), { headers: { 'idempotency-key': key } })

it('400: an invalid key; nothing is done', async () => {
  const { api } = await startApp()
  await fillStore(api)
  const before = await readLists(api)

  for (const key of [
    ...['', '""', '"', '"k', '"a"b"', '"a\\b"', '"a\\"', 'k"', 'ü', 'a\tb', 'a\u0001', '\u007f'],
    ...['x'.repeat(256), `"${'x'.repeat(256)}"`, ['a', 'b'], ['a', 'a']],
  ]) {
    // Headers are checked before the body.
    const response = await api.send('POST', '/v1/pets', {
      headers: { 'idempotency-key': key },
      rawBody: '',
    })
    expectError(response, 400, 'invalid_parameter')
    assert.match(response.text, /Idempotency-Key must be sent once, with 1 to 255 /)
  }
  assert.deepEqual(await readLists(api), before)
})

it('201: a key of 255 characters, and one with every ASCII character that is allowed', async () => {
  const { api } = await startApp()
  const longest = 'x'.repeat(255)

  for (const [key, alike] of [
    [longest, `"${longest}"`],
    ['a b,c;d=1 ~', '"a b,c;d=1 ~"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['!', '"!"'],
  ] as const) {
    const first = await create(api, key)
    const second = await create(api, alike)
    assert.equal(first.headers['idempotency-replayed'], undefined, key)
    assert.equal(second.headers['idempotency-replayed'], 'true', alike)
  }
})

it('200: other methods ignore the header', async () => {
  const { api } = await startApp()
  await fillStore(api)
  const headers = { 'idempotency-key': 'k' }
  const change = (name: string) => api.send('PATCH', '/v1/pets/1', { body: { name }, headers })

  for (const name of ['Max', 'Rex', 'Max']) {
    const response = await change(name)
    assert.equal((response.json() as { name: string }).name, name)
    assert.equal(response.headers['idempotency-replayed'], undefined)
  }
  for (const url of ['/v1/pets', '/v1/store/orders/1']) {
    assert.equal((await api.get(url, { headers: { 'idempotency-key': '"' } })).status, 200)
  }
})
