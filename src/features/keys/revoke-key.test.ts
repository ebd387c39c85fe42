import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { revokeKey } from './revoke-key.ts'

const url = '/v1/keys'

it('204: a key revokes itself; it is refused on the next request, and its record stays', async () => {
  const { api, issueKey } = await startApp()
  const other = await issueKey()

  const response = await api.send('DELETE', `${url}/1`)

  assert.equal(response.status, 204)
  expectError(await api.get('/v1/pets'), 401, 'revoked_api_key')
  const { text } = await api.get(`${url}/1`, { key: other })
  assert.match(text, /"revokedAt":"2027-01-01T00:00:00.000Z"/)
})

it('204: both parts of a rotated key are revoked; again changes nothing', async () => {
  const { api, issueKey, clock } = await startApp()
  const old = await issueKey()
  const { key } = (await api.post(`${url}/2/rotate`, {})).json() as { key: string }

  await api.send('DELETE', `${url}/2`)
  const { text } = await api.get(`${url}/2`)
  clock.ms += 1_000
  const again = await api.send('DELETE', `${url}/2`)

  assert.equal(again.status, 204)
  assert.equal((await api.get(`${url}/2`)).text, text)
  for (const one of [old, key])
    expectError(await api.get('/v1/pets', { key: one }), 401, 'revoked_api_key')
})

it('409: the last key that manages keys is not revoked; the command line can', async () => {
  const { api, issueKey, context } = await startApp()
  await issueKey({ scopes: ['default'] })

  const refused = await api.send('DELETE', `${url}/1`)

  expectError(refused, 409, 'last_key_manager')
  assert.equal((await api.get('/v1/pets')).status, 200)
  const { revokedAt } = await revokeKey(context, 1n)
  assert.equal(revokedAt, '2027-01-01T00:00:00.000Z')
})

it('204 once, else 409: of the last two keys that manage keys, two requests at once leave one', async () => {
  const { api, issueKey } = await startApp()
  await issueKey()
  const key = await issueKey({ validMs: 60_000 })

  const responses = await Promise.all(
    [1, 2].map((id) => api.send('DELETE', `${url}/${id}`, { key })),
  )

  assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 409])
  const left = (await api.get(url, { key })).text.split('revokedAt').length
  assert.equal(left, 2)
})

it('204 once, else 401: two keys that revoke each other at once leave one that manages keys', async () => {
  const { api, issueKey, key } = await startApp()
  const other = await issueKey()

  const responses = await Promise.all([
    api.send('DELETE', `${url}/2`, { key }),
    api.send('DELETE', `${url}/1`, { key: other }),
  ])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 401])
  const left = await Promise.all([key, other].map((one) => api.get(url, { key: one })))
  assert.deepEqual(left.map(({ status }) => status).sort(), [200, 401])
})

it('403: a stronger key is not revoked; 404: nor an unknown one', async () => {
  const { api, issueKey } = await startApp()
  const weak = await issueKey({ scopes: ['keys:manage'] })

  expectError(await api.send('DELETE', `${url}/1`, { key: weak }), 403, 'insufficient_scope')
  expectError(await api.send('DELETE', `${url}/7`), 404, 'not_found')
  assert.equal((await api.get('/v1/pets')).status, 200)
})
