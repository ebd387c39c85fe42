import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { updateKey } from './update-key.ts'

const url = '/v1/keys'
const early = '2027-01-01T12:00:00.000Z'
const end = '2027-01-02T12:00:00.000Z'
const late = '2027-01-03T12:00:00.000Z'

/** Key 1 has no end and no limit, key 2 both, and key 3 has fewer scopes, without an end and a limit. */
async function startWithBounded() {
  const app = await startApp()
  const bounded = await app.issueKey()
  await updateKey(app.context, { id: 2n, body: { expiresAt: end, rateLimit: 50 } })
  await app.issueKey({ scopes: ['pets:read'] })
  const send = (method: string, path: string, body?: object) =>
    app.api.send(method, `${url}${path}`, { body, key: bounded })
  return { ...app, send }
}

const name = 'shop'
const scopes = ['pets:read']
const bounds = { expiresAt: end, rateLimit: 50 }
const wider = { scopes: ['pets:read', 'pets:write'] }

for (const [title, method, path, body] of [
  ['creates none without an end', 'POST', '', { name, scopes, rateLimit: 50 }],
  ['creates none with a later end', 'POST', '', { name, scopes, ...bounds, expiresAt: late }],
  ['creates none without a limit', 'POST', '', { name, scopes, expiresAt: end }],
  ['creates none with a higher limit', 'POST', '', { name, scopes, ...bounds, rateLimit: 51 }],
  ['does not take its own end off', 'PATCH', '/2', { expiresAt: null }],
  ['does not move its own end', 'PATCH', '/2', { expiresAt: late }],
  ['does not take its own limit off', 'PATCH', '/2', { rateLimit: null }],
  ['does not raise its own limit', 'PATCH', '/2', { rateLimit: 51 }],
  ['gives none that has that of the settings a higher limit', 'PATCH', '/3', { rateLimit: 51 }],
  ['widens none that has more', 'PATCH', '/3', wider],
  ['rotates none that has more', 'POST', '/3/rotate', { overlapSeconds: 0 }],
] as const) {
  it(`403: a key with an end and a rate limit ${title}`, async () => {
    const { api, send } = await startWithBounded()
    const before = (await api.get(url)).text

    const refused = await send(method, path, body)

    expectError(refused, 403, 'insufficient_scope')
    assert.match(refused.text, /ends at 2027-01-02T12:00|may send 50 requests/)
    assert.equal((await api.get(url)).text, before)
  })
}

it('200: a key with an end and a rate limit gives as much as it has, and takes away', async () => {
  const { api, send } = await startWithBounded()

  for (const [method, path, body, status] of [
    ['POST', '', { name, scopes, ...bounds }, 201],
    ['PATCH', '/3', { name: 'renamed' }, 200],
    ['PATCH', '/3', { ...wider, ...bounds }, 200],
    ['POST', '/3/rotate', {}, 200],
    ['PATCH', '/2', { expiresAt: early, rateLimit: 40 }, 200],
    ['PATCH', '/3', { scopes }, 200],
    ['DELETE', '/3', undefined, 204],
  ] as const) {
    const answer = await send(method, path, body)
    assert.equal(answer.status, status, answer.text)
  }
  const { status } = await api.post(url, { name, scopes, rateLimit: 1_000 })
  assert.equal(status, 201, 'a key without an end and a limit gives any')
})

it('403: a key that was replaced gives nothing beyond its overlap, neither a new key nor itself nor a webhook', async () => {
  const { api, key } = await startApp()
  const rotated = await api.post(`${url}/1/rotate`, { overlapSeconds: 60 })
  const successor = (rotated.json() as { key: string }).key
  const expiresAt = '2027-01-01T00:01:00.000Z'

  for (const [path, body] of [
    ['keys', { name }],
    ['keys/1/rotate', { overlapSeconds: 0 }],
    ['webhooks', { url: 'https://shop.example/' }],
  ] as const)
    expectError(await api.post(`/v1/${path}`, body, { key }), 403, 'insufficient_scope')
  assert.equal((await api.post(url, { name, expiresAt }, { key })).status, 201)
  assert.equal((await api.get(url, { key: successor })).status, 200)
})
