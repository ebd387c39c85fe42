import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { seedStore } from '../../src/admin/seed/seed-store.ts'
import { delivery } from '../../src/features/webhooks/contract/deliveries.ts'
import { newAccounting } from '../../src/features/webhooks/contract/webhooks.ts'
import { startApp } from '../harness/app.ts'
import { addDelivery } from '../harness/deliveries.ts'
import { cases } from '../harness/extent.ts'

/** The examples of the document show the pets, orders and categories of `--seed 100`. */

type Json = Record<string, unknown>
type Parameter = { name: string; in: string; required: boolean; example: unknown; $ref?: string }
type Content = Record<string, { examples?: Record<string, { value?: unknown; $ref?: string }> }>
type Operation = {
  operationId: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content; $ref?: string }>
}
type Example = Operation & { method: string; path: string }

const document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>
  components: Record<
    'schemas' | 'headers' | 'parameters' | 'examples' | 'responses',
    Record<string, Json>
  >
}
const operations: Example[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
)

/** What a reference to a component leads to. */
function resolve<T extends { $ref?: string }>(part: T | undefined): T | undefined {
  const [kind = '', name = ''] = part?.$ref?.split('/').slice(2) ?? []
  return part?.$ref ? (document.components[kind as 'examples'][name] as T) : part
}

const parametersOf = ({ parameters = [] }: Operation) =>
  parameters.map((parameter) => resolve(parameter) as Parameter)
const firstExample = (content: Content | undefined, type = 'application/json') =>
  resolve(Object.values(content?.[type]?.examples ?? {})[0])?.value

/** The request that an operation's examples make, with all of its parameters or only with the required ones. */
function requestOf(operation: Example, isComplete: boolean) {
  const parameters = parametersOf(operation).filter(({ required }) => required || isComplete)
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let path = operation.path
  for (const { name, in: place, example } of parameters) {
    if (place === 'path') path = path.replace(`{${name}}`, String(example))
    if (place === 'header') headers[name] = String(example)
    if (place === 'query') for (const value of [example].flat()) query.append(name, String(value))
  }
  const content = operation.requestBody?.content
  const body = firstExample(content)
  const file = firstExample(content, 'application/x-ndjson')
  return {
    method: operation.method,
    url: `/v1${path}${query.size > 0 ? `?${query}` : ''}`,
    sent: {
      headers,
      ...(body === undefined ? {} : { body }),
      ...(file !== undefined && { file: String(file) }),
      ...uploadIn(content, headers),
    },
  }
}

/** The file of an example whose bytes are all ASCII, alone or in a form. */
function uploadIn(content: Content | undefined, headers: Record<string, string>) {
  const image = firstExample(content, 'image/webp')
  const form = firstExample(content, 'multipart/form-data') as { file: string } | undefined
  const type = form ? 'multipart/form-data; boundary=cut' : 'image/webp'
  const part = 'Content-Disposition: form-data; name="file"; filename="a"'
  const rawBody = form ? `--cut\r\n${part}\r\n\r\n${form.file}\r\n--cut--` : image
  return rawBody ? { rawBody: String(rawBody), headers: { ...headers, 'content-type': type } } : {}
}

async function startSeededApp() {
  const app = await startApp({ now: '2026-11-02T09:30:00.000Z' })
  // The keys 2, 3 and 4, for the examples that change one.
  for (const name of ['test', 'test', 'test']) await app.issueKey({ name, scopes: ['default'] })
  await seedStore(app.context, { count: 100 })
  for (let made = 0; made < 4; made++) await app.api.post('/v1/webhooks', newAccounting)
  const { eventType, attempts } = delivery
  const event = { eventId: BigInt(delivery.eventId), eventType }
  await addDelivery(app.context, { webhookId: 1n, ...event, attempts })
  // The demo data does not have the records of every feature: of those there is the one of the example.
  const unseeded = new Set<string>()
  for (const operation of operations) {
    if (operation.method !== 'POST' || operation.path.includes('{')) continue
    const { method, url, sent } = requestOf(operation, false)
    if ((await app.api.get(url)).text !== '[]') continue
    assert.equal((await app.api.send(method, url, sent)).status, 201, url)
    unseeded.add(operation.path)
  }
  return { ...app, unseeded }
}

for (const isComplete of cases([true, false], { quickEvery: 2 })) {
  const title = isComplete ? 'all parameters' : 'the required parameters alone'

  it(`2xx: the example request of each operation with ${title}, in any order`, async () => {
    for (const ordered of cases([operations, operations.toReversed()], { quickEvery: 2 })) {
      const { api } = await startSeededApp()
      for (const operation of ordered) {
        const { method, url, sent } = requestOf(operation, isComplete)
        const response = await api.send(method, url, sent)
        assert.match(String(response.status), /^2/, `${method} ${url}: ${response.text}`)
      }
    }
  })
}

/** Keys, their hints, and the secrets of webhooks, which are random. */
const secrets = /pet_test_(?:…\w{4}|\w{38})|whsec_[A-Za-z0-9+/]{43}=/g

it('2xx: the store returns what the examples show', async () => {
  const { api, unseeded } = await startSeededApp()
  const ids = { createPet: 101, createCategory: 31, createKey: 5, createWebhook: 5 }
  const createdId: Record<string, number> = ids
  for (const operation of operations) {
    const isUnseeded = unseeded.has(operation.path)
    const { method, url, sent } = requestOf(operation, !isUnseeded)
    const response = await api.send(method, url, sent)
    const type = response.headers['content-type']?.split(';')[0]
    const shown = firstExample(resolve(operation.responses[response.status])?.content, type)
    if (response.status === 204) continue
    const { operationId } = operation
    // The first event of this store is that of its key.
    if (['getDocument', 'getWorkflows', 'getSecurityText', 'getEvent'].includes(operationId))
      continue
    // The document shows no bytes.
    if (operationId === 'getPhoto') continue
    // The example of a create is for an empty store, as at the start of the guides.
    const id = isUnseeded && method === 'POST' ? 2 : createdId[operationId]
    const expected = id === undefined ? shown : { ...(shown as Json), id }
    const masked = response.text.replace(secrets, (all) => all.slice(0, 6))
    const expectedText = JSON.stringify(expected).replace(secrets, (all) => all.slice(0, 6))
    const returned = type === 'text/csv' ? masked : JSON.parse(masked)
    // Later features add scopes to a key with default ones.
    if (operationId === 'getOwnKey')
      returned.scopes = (shown as { scopes: string[] }).scopes.filter(isIn(returned.scopes))
    // The example is of a store in a file, which has no standbys.
    if (operationId === 'getReadiness') delete returned.replication
    // How many events this store has is no matter of the example.
    if (operationId === 'updateWebhook') returned.missedAfter = 7
    assert.deepEqual(returned, JSON.parse(expectedText), operationId)
  }
})

const isIn = (scopes: readonly string[]) => (scope: string) => scopes.includes(scope)

it('the entity tag in the examples is that of the pet in the examples', async () => {
  const { api } = await startSeededApp()

  const { headers } = await api.get('/v1/pets/1')

  assert.equal(document.components.headers.ETag?.example, headers.etag)
})

const hasExample = ({ $ref, const: only, examples, anyOf }: Json): boolean =>
  $ref !== undefined ||
  only !== undefined ||
  Array.isArray(examples) ||
  hasExample(Object(anyOf)[0])

it('every parameter, header and schema has an example', () => {
  for (const operation of operations) {
    for (const { name, example } of parametersOf(operation))
      assert.notEqual(example, undefined, `${operation.operationId} ${name}`)
  }
  for (const [name, { example }] of Object.entries(document.components.headers))
    assert.notEqual(example, undefined, name)
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok((schema.examples as unknown[])?.length > 0, name)
    for (const [member, part] of Object.entries((schema.properties ?? {}) as Record<string, Json>))
      assert.ok(hasExample(part), `${name}.${member}`)
  }
})
