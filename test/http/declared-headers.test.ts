import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { startApp } from '../harness/app.ts'
import { undeclaredHeaders } from '../harness/contract.ts'
import { fillStore, openRequests, requests } from '../harness/operations.ts'
import { startListening } from './start-listening.ts'

const origin = 'https://shop.example.com'

it('200, 304: every header of the documents and of health is declared, with and without pages of origins', async () => {
  for (const settings of [{}, { PETSTORE_CORS_ORIGINS: origin }]) {
    const { exchange, get } = await startListening(settings)
    for (const prefix of ['', '/v1']) {
      const documents = ['/openapi.json', '/arazzo.json', '/.well-known/security.txt']
      for (const path of [...documents, '/health/live', '/health/ready']) {
        for (const headers of ['', `Accept-Encoding: br\r\nOrigin: ${origin}\r\n`]) {
          const target = `${prefix}${path}`
          // Fails on a header that the document does not declare.
          const { status, headers: received } = await exchange(get(headers, target), 'GET', target)
          assert.equal(status, 200)
          const { etag } = received
          if (etag === undefined) continue
          const known = get(`${headers}If-None-Match: ${etag}\r\n`, target)
          assert.equal((await exchange(known, 'GET', target)).status, 304)
        }
      }
    }
  }
})

it('every header of every operation is declared for its status, whatever the request asks for', async () => {
  const { api } = await startApp()
  await fillStore(api)
  const rateLimit = 1_000_000
  const scopes = ['default', 'keys:manage', 'webhooks:manage']
  const made = await api.post('/v1/keys', { name: 'limited', scopes, rateLimit })
  const { key } = made.json() as { key: string }
  const seen = new Map<number, number>()
  const wishes = [
    {},
    { range: 'bytes=0-1' },
    { 'if-none-match': '*' },
    { 'if-match': '"x"', 'idempotency-key': 'twice' },
    { accept: 'application/x-ndjson' },
  ]
  for (const { method, url, ...sent } of [...requests, ...openRequests]) {
    for (const name of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      for (const wish of wishes) {
        const headers = { prefer: 'scopes, count=exact', ...wish }
        const unknown = `${url.includes('?') ? '&' : '?'}stats=1`
        const asked = { ...sent, headers, key: openUrls.has(url) ? null : key }
        // Fails on a header that the document does not declare.
        const { status } = await api.send(name, url + unknown, asked)
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
    }
  }
  for (const status of [200, 201, 204, 206, 304, 404, 412])
    assert.ok(seen.get(status), `${status} was not met`)
})

const openUrls = new Set<string>(openRequests.map(({ url }) => url))

type Declared = { headers?: object; $ref?: string }
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Declared> }>>
  components: { responses: Record<string, Declared> }
  'x-any-path': Record<string, Declared>
  'x-any-response': Declared
}

it('every status and header of the control interface of a store in memory is declared by its document', async () => {
  await using store = await startPetstore()
  const address = store.baseUrl.replace(/\/v1$/, '/test-bench')
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as Document
  const resolve = (declared: Declared | undefined) =>
    document.components.responses[declared?.$ref?.split('/').at(-1) ?? ''] ?? declared

  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [name, { responses }] of Object.entries(methods)) {
      for (const key of [store.key, 'pet_test_wrong', undefined]) {
        const method = name.toUpperCase()
        const { status, headers } = await fetch(`${address}${path.replace(/\{\w+\}/, '1')}`, {
          method,
          headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
          ...(method === 'GET' ? {} : { body: '{}' }),
        })
        const declared = Object.keys({
          ...document['x-any-response'].headers,
          ...resolve(responses[status])?.headers,
        })
        const sent = [...headers.keys()].filter((header) => !undeclaredHeaders.test(header))
        assert.deepEqual(
          sent.filter((header) => !declared.some((one) => one.toLowerCase() === header)),
          [],
          `${method} ${path} → ${status}`,
        )
        assert.equal(headers.has('www-authenticate'), status === 401)
      }
    }
  }
  const wrong = await fetch(`${address}/faults`, { method: 'PATCH' })
  assert.deepEqual([wrong.status, wrong.headers.has('allow')], [405, true])
  assert.ok('Allow' in (document['x-any-path'][405]?.headers ?? {}))
})
