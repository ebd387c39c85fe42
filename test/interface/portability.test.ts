import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

/** What tools of others need of the document; some of them failed before each of these rules. */

type Json = Record<string, unknown>
type Schema = Json & { $ref?: string; type?: string; items?: Schema; properties?: Json }
type Parameter = Json & { name?: string; $ref?: string }
type Operation = Json & {
  operationId: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }>; headers?: Json }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Json
    examples: Json
    headers: Json
    parameters: Record<string, Parameter>
  }
}

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(text) as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const resolve = (parameter: Parameter) =>
  document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter
const schemaOf200 = ({ responses }: Operation) =>
  responses[200]?.content?.['application/json']?.schema
const lists = operations.filter((operation) => {
  const { $ref = '' } = schemaOf200(operation) ?? {}
  return document.components.schemas[$ref.split('/').at(-1) ?? '']?.type === 'array'
})

/** Every object that is a schema: components, the values of `schema`, and their parts. */
function visitSchemas(visit: (schema: Schema, path: string) => void) {
  function walk(schema: Schema, path: string) {
    visit(schema, path)
    for (const [name, part] of Object.entries(schema.properties ?? {}))
      walk(part as Schema, `${path}/${name}`)
    if (schema.items) walk(schema.items, `${path}[]`)
  }
  function search(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null) return
    const { schema } = value as { schema?: Schema }
    if (schema) walk(schema, path)
    for (const [name, part] of Object.entries(value)) {
      if (name !== 'schema' && name !== 'example' && name !== 'examples')
        search(part, `${path}/${name}`)
    }
  }
  const { schemas, ...components } = document.components
  for (const [name, schema] of Object.entries(schemas)) walk(schema, name)
  search({ paths: document.paths, components }, '#')
}

it('no pattern depends on Unicode property classes, or on the flag u', () => {
  let count = 0
  visitSchemas(({ pattern }, path) => {
    if (pattern === undefined) return
    count += 1
    assert.doesNotMatch(String(pattern), /\\[pPu]|\(\?/, path)
    assert.ok(new RegExp(String(pattern)) && new RegExp(String(pattern), 'u'), path)
  })
  assert.ok(count > 10, `${count} patterns`)
})

it('every string and array has a maximum size, every integer a width', () => {
  visitSchemas(({ type, maxLength, maxItems, format, minimum, ...schema }, path) => {
    const isClosed = 'enum' in schema || 'const' in schema
    // A stream has no end.
    const isStream = path.endsWith('/text/event-stream')
    // The request says how many bytes a file may have.
    const isFile = format === 'binary'
    if (type === 'string')
      assert.ok(isClosed || isStream || isFile || Number(maxLength) > 0, `${path}: maxLength`)
    if (type === 'array') assert.ok(Number(maxItems) > 0, `${path}: maxItems`)
    if (type === 'integer') assert.match(String(format), /^int(?:32|64)$/, path)
    if (format === 'int32') {
      assert.ok(Number(minimum) >= 0 && Number(schema.maximum) < 2 ** 31, `${path}: range`)
    }
  })
})

it('no member of a body has a default: generators would make it required', () => {
  const bodies = operations.flatMap(({ requestBody }) => (requestBody ? [requestBody] : []))
  assert.ok(bodies.length > 3)
  assert.doesNotMatch(JSON.stringify([bodies, document.components.schemas]), /"default":/)
  assert.match(JSON.stringify(document.components.schemas.NewOrder), /1 when absent/)
})

it('the page of each list is a component of its own, with at most 100 items', () => {
  const names = lists.map((operation) => {
    const { $ref = '' } = schemaOf200(operation) ?? {}
    const name = /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] ?? ''
    const { type, maxItems, items } = document.components.schemas[name] ?? {}
    assert.deepEqual([type, maxItems], ['array', 100])
    assert.match(items?.$ref ?? '', /^#\/components\/schemas\/\w+$/)
    assert.equal(operation.operationId, `list${name}`)
    return name
  })
  assert.ok(names.includes('Pets') && names.includes('Orders'), names.join(', '))
})

it('the document has at most 250,000 bytes without white space', () => {
  const { length } = Buffer.from(JSON.stringify(document))
  assert.ok(length > 100_000 && length <= 250_000, `${length} bytes`)
})

it('a link leads to an operation that accepts what it passes', () => {
  let count = 0
  for (const { responses } of operations) {
    for (const { links = {} } of Object.values(responses) as { links?: Json }[]) {
      for (const link of Object.values(links) as Json[]) {
        const target = operations.find(({ operationId }) => operationId === link.operationId)
        assert.ok(target, String(link.operationId))
        const names = target.parameters?.map((parameter) => resolve(parameter).name)
        for (const name of Object.keys((link.parameters ?? {}) as Json)) {
          assert.ok(names?.includes(name), `${target.operationId} takes no ${name}`)
        }
        assert.equal(link.requestBody !== undefined, target.operationId === 'createOrder')
        count += 1
      }
    }
  }
  assert.ok(count > 10, `${count} links`)
})
