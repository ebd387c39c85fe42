import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

const url = '/v1/keys'

it('200: pages of keys, with the count on request; no secret and no digest', async () => {
  const { api, issueKey, key } = await startApp()
  for (const name of ['a', 'b']) await issueKey({ name })
  const idsIn = (text: string) => (JSON.parse(text) as { id: number }[]).map(({ id }) => id)

  const first = await api.get(`${url}?limit=2`, { headers: { prefer: 'count=exact' } })
  const [, next = ''] = /<http:\/\/petstore\.test([^>]+)>/.exec(first.headers.link ?? '') ?? []
  const second = await api.get(next)

  assert.deepEqual([idsIn(first.text), idsIn(second.text)], [[1, 2], [3]])
  assert.equal(first.headers['x-total-count'], '3')
  assert.equal(second.headers.link, undefined)
  assert.deepEqual(idsIn((await api.get(`${url}?sort=-id&after=3`)).text), [2, 1])
  assert.doesNotMatch(first.text, /digest/)
  assert.ok(!first.text.includes(key.slice(9, 25)))
})

it('200: a key learns what it is, with any scope; a replaced one learns when it ends', async () => {
  const { api, issueKey } = await startApp()
  const key = await issueKey({ name: 'reader', scopes: ['pets:read'] })
  const ownKey = async () =>
    (await api.get(`${url}/self`, { key, headers: { prefer: 'scopes' } })).json()
  const known = { id: 2, name: 'reader', scopes: ['pets:read'], environment: 'staging' }

  assert.deepEqual(await ownKey(), known)
  await api.post(`${url}/2/rotate`, { overlapSeconds: 60 })
  assert.deepEqual(await ownKey(), { ...known, expiresAt: '2027-01-01T00:01:00.000Z' })
  expectError(await api.get(`${url}/self`, { key: null }), 401, 'missing_api_key')
})

it('200: default expands to the scopes of this version, but for those that manage something', async () => {
  const { api, issueKey } = await startApp()
  const key = await issueKey({ scopes: ['default'] })

  const { scopes } = (await api.get(`${url}/self`, { key })).json() as { scopes: string[] }

  assert.deepEqual(scopes, [
    'pets:read',
    'pets:write',
    'orders:read',
    'orders:write',
    'inventory:read',
    'inventory:write',
  ])
})
