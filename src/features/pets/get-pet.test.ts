import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import type { Answer } from '../../../test/harness/contract.ts'

const removedMs = Date.parse('2030-12-05T00:00:00Z')

const lifecycleHeaders = (query: string) => ({
  deprecation: '@1795132800',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: `<http://petstore.test/v1/pets${query}>; rel="successor-version"`,
})

function lifecycleHeadersOf({ headers: { deprecation, sunset, link } }: Answer) {
  return { deprecation, sunset, link }
}

it('every response after the key check has the deprecation headers', async () => {
  const { api, issueKey, failDb, clock } = await startApp()
  await api.createPet()
  const writer = await issueKey({ scopes: ['pets:write'] })
  const { etag = '' } = (await api.get('/v1/pets/1')).headers
  const answers = [
    await api.get('/v1/pets/1'),
    await api.get('/v1/pets/1', { headers: { 'if-none-match': etag } }),
    await api.send('HEAD', '/v1/pets/1'),
    await api.get('/v1/pets/1', { key: null }),
    await api.get('/v1/pets/1', { key: writer }),
    await api.get('/v1/pets/2'),
    await api.get('/v1/pets/x'),
  ]
  clock.ms = removedMs
  answers.push(await api.get('/v1/pets/1'))
  clock.ms = removedMs - 1
  failDb(new Error('The database is away.'))
  answers.push(await api.get('/v1/pets/1'))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 304, 200, 401, 403, 404, 404, 410, 500],
  )
  const queries = ['?id=1', '?id=1', '?id=1', '?id=1', '?id=1', '?id=2', '', '?id=1', '?id=1']
  assert.deepEqual(
    answers.map(lifecycleHeadersOf),
    queries.map((query) => lifecycleHeaders(query)),
  )
})

it('410: from the millisecond of its removal on; the message names both replacements', async () => {
  const { api, clock } = await startApp()
  await api.createPet()

  clock.ms = removedMs - 1
  const before = await api.get('/v1/pets/1')
  clock.ms = removedMs
  const removed = await api.get('/v1/pets/1')
  const unknown = await api.get('/v1/pets/99')
  clock.ms = removedMs + 1e12
  const longAfter = await api.get('/v1/pets/1')

  assert.equal(before.status, 200)
  for (const answer of [removed, unknown, longAfter]) {
    expectError(answer, 410, 'operation_removed')
    assert.match(answer.text, /GET \/pets with status .* or with id /)
    assert.equal(answer.headers.etag, undefined)
  }
  assert.deepEqual((await api.get('/v1/pets?id=1')).json(), [before.json()])
})
