import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'

it('PETSTORE_WEBHOOK_HOSTS: loopback in memory, nothing elsewhere, and what is listed; networks are whole', () => {
  const hostsOf = (env: Record<string, string>) => loadConfig({}, env).config.webhookHosts
  const memory = { PETSTORE_DATABASE: 'sqlite::memory:' }
  const listed = (text: string) => hostsOf({ ...memory, PETSTORE_WEBHOOK_HOSTS: text })

  assert.deepEqual(hostsOf({}), [])
  assert.deepEqual(hostsOf(memory), ['127.0.0.0/8', '::1/128'])
  assert.deepEqual(listed('Hooks.internal, fd00::/8,10.1.2.3'), [
    'hooks.internal',
    'fd00::/8',
    '10.1.2.3',
  ])
  for (const text of ['', ',', 'a b', '10/8', '10.0.0.0/33', 'http://a', 'a:80', '0x7f.1', '*.a'])
    assert.throws(() => listed(text), /host names, addresses and networks/, text)
})
