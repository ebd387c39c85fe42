import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { undeclaredHeaders } from '../harness/contract.ts'
import { startListening } from './start-listening.ts'

const origin = 'https://shop.example.com'

it('200, 304: every header of the documents and of health is declared, with and without pages of origins', async () => {
  for (const settings of [{}, { PETSTORE_CORS_ORIGINS: origin }]) {
    const { exchange, get } = await startListening(settings)
    for (const prefix of ['', '/v1']) {
      const documents = ['/openapi.json', '/arazzo.json', '/.well-known/security.txt']
      for (const path of [...documents, '/health/live', '/health/ready']) {
        for (const headers of ['', 'Accept-Encoding: br\r\n', `Origin: ${origin}\r\n`]) {
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

type Declared = { headers?: object; $ref?: string }
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Declared> }>>
  components: { responses: Record<string, Declared> }
  'x-any-path': Record<string, Declared>
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
        const declared = Object.keys(resolve(responses[status])?.headers ?? {})
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
