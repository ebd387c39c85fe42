import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectError, startApp } from '../harness/app.ts'
import { fillStore, requests, requestsByStore } from '../harness/operations.ts'

/** What all operations of one kind have in common. */

const recordUrl = /^(\/v1\/.*\/)([1-4])(\/[\w-]+)?$/

async function startFilled() {
  const { api } = await startApp()
  await fillStore(api)
  return api
}

it('2xx: every operation succeeds, and the response is as declared', async () => {
  for (const sent of requestsByStore) {
    const api = await startFilled()

    for (const { operationId, method, url, status, body, file } of sent) {
      const response = await api.send(method, url, { body, file })

      assert.equal(response.status, status, `${operationId}: ${response.text}`)
      assert.equal(response.text === '', status === 204)
      // Only what an event says of an absent member is null.
      assert.doesNotMatch(response.text.replaceAll(/"previous":\{[^}]*\}/g, ''), /null/)
    }
  }
})

it('413: operations without a body ignore one, and refuse one that is too large', async () => {
  for (const sent of requestsByStore) {
    const api = await startFilled()

    for (const { method, url, body, file } of sent) {
      if ((body ?? file) !== undefined || method === 'GET') continue
      const refused = await api.send(method, url, { rawBody: ' '.repeat(65_537) })
      const done = await api.send(method, url, { rawBody: ' '.repeat(65_536) })

      expectError(refused, 413, 'body_too_large')
      assert.ok(done.status < 300, done.text)
    }
  }
})

it('404: every operation of a record that does not exist, or with an invalid id', async () => {
  const api = await startFilled()

  for (const { method, url, body, file } of requests.filter(({ url }) => recordUrl.test(url))) {
    for (const id of ['99', '0', '01', '-1', '1.0', 'x', '9223372036854775808', '1%00']) {
      const other = url.replace(recordUrl, (_all, before, _id, behind = '') => before + id + behind)
      expectError(await api.send(method, other, { body, file }), 404, 'not_found')
    }
  }
})

it('400 invalid_json, invalid_body, 413, 415: every operation says what is wrong with a body', async () => {
  const api = await startFilled()
  const before = (await api.get('/v1/events?limit=100')).text

  for (const { operationId, method, url, body: sample } of requests) {
    if (sample === undefined) continue
    const send = (rawBody: string, type = 'application/json') =>
      api.send(method, url, { rawBody, headers: { 'content-type': type } })
    const body = JSON.stringify(sample)
    const [member] = Object.keys(sample)

    for (const text of ['', '{', `${body},`]) expectError(await send(text), 400, 'invalid_json')
    for (const text of ['[]', 'null', '"x"', `[${body}]`, `{"${member}":null}`]) {
      expectError(await send(text), 400, 'invalid_body')
    }
    expectError(await send(body, 'text/plain'), 415, 'unsupported_media_type')
    const sizeMax = operationId === 'batchPets' ? 2 ** 20 : 65_536
    expectError(await send(body.padEnd(sizeMax + 1, ' ')), 413, 'body_too_large')
  }
  assert.equal((await api.get('/v1/events?limit=100')).text, before)
})

describe('every list', () => {
  const urls = ['pets', 'categories', 'store/orders', 'inventory', 'details', 'photos']
  for (const url of urls.map((path) => `/v1/${path}`)) {
    const idsOf = (answer: { json(): unknown }) =>
      (answer.json() as { id?: number; petId?: number }[]).map(({ id, petId }) => id ?? petId)

    it(`200: ${url} has pages in the order of ids, and a total on request`, async () => {
      const api = await startFilled()

      const first = await api.get(`${url}?limit=1`, { headers: { prefer: 'count=exact' } })
      const link = /^<http:\/\/petstore\.test(.+)>; rel="next"$/.exec(first.headers.link ?? '')
      const second = await api.get(link?.[1] ?? '')

      assert.deepEqual([idsOf(first), idsOf(second)], [[1], [2]])
      assert.equal(first.headers['x-total-count'], '2')
      assert.equal(first.headers['preference-applied'], 'count=exact')
      assert.equal(second.headers.link, undefined)
      assert.equal(second.headers['x-total-count'], undefined)
      assert.deepEqual(idsOf(await api.get(`${url}?sort=-id`)), [2, 1])
      assert.deepEqual(idsOf(await api.get(`${url}?unknown=1&limit=100`)), [1, 2])
    })

    it(`400: ${url} refuses invalid parameters, and a cursor of another list`, async () => {
      const api = await startFilled()
      const other = url === '/v1/pets' ? '/v1/categories' : '/v1/pets'
      const { link = '' } = (await api.get(`${other}?limit=1`)).headers
      const [cursor = ''] = /cursor=[\w-]+/.exec(link) ?? []

      for (const query of ['limit=0', 'limit=101', 'limit=1&limit=1', 'sort=petId', 'sort=']) {
        expectError(await api.get(`${url}?${query}`), 400, 'invalid_parameter')
      }
      for (const query of ['cursor=', 'cursor=x', cursor]) {
        expectError(await api.get(`${url}?${query}`), 400, 'invalid_cursor')
      }
    })
  }

  it('400: the lists of keys, webhooks, deliveries and events refuse a cursor of another list', async () => {
    const api = await startFilled()
    const { link = '' } = (await api.get('/v1/pets?limit=1')).headers
    const [cursor = ''] = /cursor=[\w-]+/.exec(link) ?? []

    for (const list of ['keys', 'webhooks', 'webhooks/1/deliveries', 'events']) {
      expectError(await api.get(`/v1/${list}?${cursor}`), 400, 'invalid_cursor')
    }
  })
})
