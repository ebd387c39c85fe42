import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

const url = '/v1/keys'

/** A store whose key 2 manages keys too. */
async function startWithTwo() {
  const app = await startApp()
  const other = await app.issueKey({ name: 'other' })
  return { ...app, other }
}

const change = (
  app: Awaited<ReturnType<typeof startApp>>,
  id: number,
  body: object,
  key?: string,
) => app.api.send('PATCH', `${url}/${id}`, { body, ...(key === undefined ? {} : { key }) })

it('200: changes what is sent; a narrowed key is refused on the next request', async () => {
  const app = await startWithTwo()
  const { api, other } = app
  assert.equal((await api.get('/v1/inventory', { key: other })).status, 200)

  const changed = await change(app, 2, { name: 'Reader', scopes: ['pets:read'] })

  assert.deepEqual((changed.json() as { scopes: string[] }).scopes, ['pets:read'])
  expectError(await api.get('/v1/inventory', { key: other }), 403, 'insufficient_scope')
  assert.equal((await api.get('/v1/pets', { key: other })).status, 200)
  const widened = await change(app, 2, { scopes: ['pets:read', 'inventory:read'] })
  assert.equal((widened.json() as { name: string }).name, 'Reader')
  assert.equal((await api.get('/v1/inventory', { key: other })).status, 200)
})

it('200: an expiry is set, and removed by null', async () => {
  const app = await startWithTwo()
  const { api, other, clock } = app

  await change(app, 2, { expiresAt: '2027-01-01T00:00:01Z' })
  clock.ms += 1_000
  expectError(await api.get('/v1/pets', { key: other }), 401, 'expired_api_key')
  const endless = await change(app, 2, { expiresAt: null })

  assert.ok(!endless.text.includes('expiresAt'))
  assert.equal((await api.get('/v1/pets', { key: other })).status, 200)
})

it('403: neither a stronger key nor the own one can be given more than the caller has', async () => {
  const app = await startWithTwo()
  const { api, issueKey } = app
  const weak = await issueKey({ scopes: ['keys:manage', 'pets:read'] })

  for (const [id, body] of [
    [2, { name: 'mine' }],
    [2, { scopes: ['pets:read'] }],
    [3, { scopes: ['keys:manage', 'pets:write'] }],
    [3, { scopes: ['default', 'keys:manage'] }],
  ] as const) {
    expectError(await change(app, id, body, weak), 403, 'insufficient_scope')
  }
  assert.equal((await change(app, 3, { scopes: ['keys:manage'] }, weak)).status, 200)
  assert.match(
    (await api.get(`${url}/2`)).text,
    /"name":"other","hint":"[^"]+","scopes":\["default"/,
  )
})

it('409: the last key without expiry that manages keys is neither narrowed nor given an expiry', async () => {
  const app = await startApp()
  const { api, issueKey, context } = app
  // Neither counts: one expires, one may not manage keys.
  await issueKey({ validMs: 60_000 })
  await issueKey({ scopes: ['default'] })

  for (const body of [
    { scopes: ['default'] },
    { scopes: ['keys:manage'] },
    { expiresAt: '2030-01-01T00:00:00Z' },
  ]) {
    expectError(await change(app, 1, body), 409, 'last_key_manager')
  }
  assert.equal((await change(app, 1, { name: 'still' })).status, 200)
  assert.match(
    (await api.get(`${url}/1`)).text,
    /"scopes":\["default","keys:manage","webhooks:manage"\]/,
  )
  const { updateKey } = await import('./update-key.ts')
  const byCommand = await updateKey(context, { id: 1n, body: { scopes: ['default'] } })
  assert.deepEqual(byCommand.scopes, ['default'], 'the command line always can')
})

it('409: a revoked key is not changed', async () => {
  const app = await startWithTwo()
  await app.api.send('DELETE', `${url}/2`)

  expectError(await change(app, 2, { name: 'back' }), 409, 'key_not_active')
})
