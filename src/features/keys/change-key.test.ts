import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import type { Context } from '../../context/context.ts'
import { createKey } from './create-key.ts'
import type { Grant } from './grants.ts'
import { digestOf } from './key-format.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { updateKey } from './update-key.ts'

// Another process may change the key of a request after its key check: what counts is the key as the write finds it.

type Change = (context: Context) => Promise<unknown>

const narrow = (scopes: Grant[]) => (context: Context) =>
  updateKey(context, { id: 2n, body: { scopes } })
const rotate = (context: Context) => rotateKey(context, { id: 2n, body: { overlapSeconds: 0 } })

const changes: [title: string, change: Change, code: string][] = [
  ['403: narrowed', narrow(['keys:manage', 'orders:read']), 'insufficient_scope'],
  ['403: without keys:manage', narrow(['default']), 'insufficient_scope'],
  ['401: rotated without overlap', rotate, 'expired_api_key'],
  [
    '401: rotated twice',
    async (context) => [await rotate(context), await rotate(context)],
    'invalid_api_key',
  ],
  ['401: revoked', (context) => revokeKey(context, 2n), 'revoked_api_key'],
]

for (const [title, change, code] of changes) {
  it(`${title} since its key check, a key neither creates nor changes keys`, async () => {
    const { api, context, issueKey } = await startApp()
    const key = await issueKey()
    await issueKey({ name: 'other', scopes: ['pets:read'] })
    const author = { type: 'key', name: 'test', keyId: 2n } as const
    const actor = { keyId: 2n, author, digest: digestOf(key), scopes: new Set(context.scopes) }
    const asCaller = { ...context, actor }
    await createKey(asCaller, { name: 'before', scopes: ['pets:read'] })
    await change(context)
    const before = (await api.get('/v1/keys')).text

    const calls = [
      () => createKey(asCaller, { name: 'shop', scopes: ['pets:read'] }),
      () => updateKey(asCaller, { id: 3n, body: { name: 'shop' } }),
      () => rotateKey(asCaller, { id: 3n, body: {} }),
      () => revokeKey(asCaller, 3n),
    ]

    for (const call of calls) await assert.rejects(call, { code })
    assert.equal((await api.get('/v1/keys')).text, before)
  })
}

it('403 or 201: a key that is narrowed and creates at once grants only what it still has', async () => {
  const { api, issueKey } = await startApp()
  const key = await issueKey()

  const [narrowed, created] = await Promise.all([
    api.send('PATCH', '/v1/keys/2', { body: { scopes: ['keys:manage'] }, key }),
    api.post('/v1/keys', { name: 'shop', scopes: ['pets:write'] }, { key }),
  ])
  const late = await api.post('/v1/keys', { name: 'shop', scopes: ['pets:write'] }, { key })

  assert.equal(narrowed.status, 200)
  assert.ok([201, 403].includes(created.status), created.text)
  assert.equal(late.status, 403)
})
