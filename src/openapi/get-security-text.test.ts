import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../test/harness/app.ts'

const paths = ['/.well-known/security.txt', '/v1/.well-known/security.txt']

it('200: security.txt names the contacts in their order, and expires 30 days after the response', async () => {
  const { api, clock } = await startApp({
    now: '2027-01-01T00:00:00Z',
    settings: {
      PETSTORE_SECURITY_CONTACT: 'https://shop.example/security, mailto:security@shop.example',
      PETSTORE_PUBLIC_URL: 'https://shop.example/v1',
    },
  })

  for (const path of paths) {
    const { status, headers, text } = await api.get(path, { key: null })
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.deepEqual(text.split('\n'), [
      'Contact: https://shop.example/security',
      'Contact: mailto:security@shop.example',
      'Expires: 2027-01-31T00:00:00.000Z',
      'Canonical: https://shop.example/.well-known/security.txt',
      '',
    ])
  }
  clock.ms += 86_400_000
  assert.match((await api.get(paths[0] ?? '', { key: null })).text, /^Expires: 2027-02-01T/m)
})

it('200: security.txt says no address of its own where none is set', async () => {
  const { api } = await startApp({ settings: { PETSTORE_PUBLIC_URL: undefined } })

  const { text } = await api.get('/.well-known/security.txt', { key: null })

  assert.match(text, /^Contact: mailto:security@petstore\.test\nExpires: \S+\n$/)
})

it('404: a store without a contact has no security.txt', async () => {
  const { api } = await startApp({ settings: { PETSTORE_SECURITY_CONTACT: undefined } })

  for (const path of paths) expectError(await api.get(path, { key: null }), 404, 'not_found')
})
