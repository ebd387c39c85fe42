import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { startPetstore } from '../../src/start-petstore.ts'
import { startApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { aDirectory } from '../processes/command.ts'

type Json = Record<string, unknown>
type Operation = Json & { operationId: string; tags: string[] }
type Document = {
  servers: Json[]
  externalDocs: Json
  paths: Record<string, Record<string, Operation>>
  components: { headers: Record<string, Json>; examples: Record<string, Json> }
}

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
const read = () => JSON.parse(text) as Document
const { components } = read()
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

function operationsOf({ paths }: Document): Operation[] {
  return Object.values(paths).flatMap((item) =>
    methods.flatMap((method) => (item[method] ? [item[method]] : [])),
  )
}

it('operations are marked beta or stable; those of the interface as it marks them', () => {
  const beta = { 'x-stability': 'beta', 'x-stability-level': 'beta' }
  const ofInterface: Record<string, Json> = {
    listPets: {},
    createPet: {},
    getPet: { deprecated: true, 'x-deprecated-sunset': '2030-12-05', 'x-sunset': '2030-12-05' },
    listOrders: { 'x-hideTryItPanel': true },
    importPets: { ...beta, 'x-hideTryItPanel': true },
  }
  for (const operation of operationsOf(read())) {
    const { operationId } = operation
    // The feature of docs/examples/suppliers, added to a copy of the source, is beta.
    const isBeta = /^(?:batch|export)|Details|Photo|Webhook|Deliver(?:y|ies)|Supplier/.test(
      operationId,
    )
    const marks = Object.entries(operation).filter(([name]) => /^(?:x-|deprecated)/.test(name))
    // GitBook's mark is for what may change; oasdiff's has a word for stable too.
    const expected = ofInterface[operationId] ?? (isBeta ? beta : { 'x-stability-level': 'stable' })
    assert.deepEqual(Object.fromEntries(marks), expected, operationId)
  }
})

/** The value of an example, which may be a component. */
function exampleValue({ $ref, value }: Json): unknown {
  return $ref ? components.examples[String($ref).split('/').at(-1) ?? '']?.value : value
}

itInFull('every example is valid for its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('int32', true)
  ajv.addFormat('int64', true)
  ajv.addFormat('uri', (value) => URL.canParse(value))
  ajv.addFormat('date-time', (value) => new Date(value).toISOString() === value)
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/)
  ajv.addSchema(read(), 'openapi')
  let count = 0
  // Equal schemas are compiled once.
  const schemas = new Map<string, object>()

  function check(schema: object, examples: unknown[], path: string) {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/')
    const absolute = schemas.get(text) ?? JSON.parse(text)
    schemas.set(text, absolute)
    for (const one of examples) {
      assert.ok(ajv.validate(absolute, one), `${path}: ${ajv.errorsText()}`)
      count += 1
    }
  }

  function visit(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null) return
    const { schema, example, examples } = value as Json & { schema?: object }
    if (schema && !Array.isArray(value)) {
      const all = Object.values((examples ?? {}) as Record<string, Json>).map(exampleValue)
      check(schema, example === undefined ? all : [example, ...all], path)
    }
    // The examples of a schema itself are an array.
    if (Array.isArray(examples)) check(value, examples, path)
    for (const [name, part] of Object.entries(value)) visit(part, `${path}/${name}`)
  }

  visit(read(), '#')
  assert.ok(count > 200, `${count} examples`)
})

describe('the served document', () => {
  /** Everything except the store's own addresses. */
  const withoutServers = (text: string, baseUrl: string) => {
    const origin = baseUrl.replace(/\/v1$/, '')
    return { ...JSON.parse(text.replaceAll(origin, 'http://127.0.0.1:8080')), servers: [] }
  }

  it('200: equals the committed document except for the servers; no key is needed', async () => {
    const { api } = await startApp()

    const above = await api.get('/openapi.json', { key: null })
    const below = await api.get('/v1/openapi.json', { key: null })

    assert.equal(above.text, below.text)
    assert.equal(above.headers['content-type'], 'application/json; charset=utf-8')
    const { servers } = above.json() as Document
    assert.deepEqual(
      withoutServers(above.text, String(servers[0]?.url)),
      withoutServers(text, 'http://127.0.0.1:8080/v1'),
    )
  })

  it('the committed document names production and staging, both ending in /v1', () => {
    assert.deepEqual(
      read().servers.map(({ url, description }) => [url, String(description).split(':')[0]]),
      [
        ['http://127.0.0.1:8080/v1', 'Production'],
        ['http://127.0.0.1:8081/v1', 'Staging'],
      ],
    )
  })

  const own = 'https://pets.example.com/own/v1'
  const sibling = 'https://pets.example.com/sibling/v1'

  for (const [environment, description, siblingDescription] of [
    ['production', /^Production/, /^Staging/],
    ['staging', /^Staging/, /^Production/],
  ] as const) {
    it(`${environment} names itself first, then the other environment`, async () => {
      const { api } = await startApp({
        settings: {
          PETSTORE_ENVIRONMENT: environment,
          PETSTORE_PUBLIC_URL: own,
          PETSTORE_SIBLING_URL: sibling,
        },
      })

      const { servers, externalDocs, paths } = (await api.get('/openapi.json')).json() as Document

      assert.deepEqual(
        servers.map(({ url }) => url),
        [own, sibling],
      )
      assert.match(String(servers[0]?.description), description)
      assert.match(String(servers[1]?.description), siblingDescription)
      assert.equal(externalDocs.url, 'https://pets.example.com/own/docs')
      // Many tools read only the servers of the whole document.
      assert.ok(Object.values(paths).every((path) => !('servers' in path)))
    })
  }

  it("with a public address it names no server of the reader's own machine", async (t) => {
    const folder = aDirectory(t)
    const database = `sqlite:${join(folder, 'store.db')}`
    const settings = { PETSTORE_PUBLIC_URL: own, PETSTORE_DATABASE: database }
    const { api } = await startApp({ settings })

    const { text } = await api.get('/openapi.json')

    assert.match(text, /"servers":\[\{"url":"https:\/\/pets\.example\.com\/own\/v1"[^\]]*\]/)
    assert.doesNotMatch(text, /127\.0\.0\.1|localhost/)
  })

  it('a store in memory names only itself, so that test data goes nowhere else', async () => {
    await using store = await startPetstore()

    const response = await fetch(`${store.baseUrl}/openapi.json`)

    const { servers } = (await response.json()) as Document
    assert.deepEqual(
      servers.map(({ url }) => url),
      [store.baseUrl],
    )
  })
})
