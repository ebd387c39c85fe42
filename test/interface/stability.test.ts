import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operations } from '../../src/app/operations.ts'
import {
  findBreakingChanges,
  type OpenApi,
  type Operation,
  type Response,
  resolve,
  type Schema,
} from './find-breaking-changes.ts'

/** What `docs/guides/stability.md` promises, kept since the last release whose document is here. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const [released = ''] = globSync('test/interface/openapi-*.json', { cwd: root })
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .reverse()
const surface = JSON.parse(read(released)) as OpenApi
const current = () => JSON.parse(read('openapi.json')) as OpenApi

it('stable operations offer what they did', () => {
  assert.deepEqual(findBreakingChanges(surface, current()), [])
})

it('each release has its document here', () => {
  const headings = read('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)
  for (const [, version] of headings) read(`test/interface/openapi-${version}.json`)
})

it('an operation is announced as deprecated at least a year before it is removed', () => {
  const yearMs = 365 * 24 * 60 * 60 * 1_000
  const deprecations = operations.flatMap(({ operation }) => operation.lifecycle.deprecation ?? [])
  assert.ok(deprecations.length > 0)
  for (const { deprecatedAt, removedAt } of deprecations)
    assert.ok(Date.parse(removedAt) - Date.parse(deprecatedAt) >= yearMs)
})

type Change = (document: OpenApi) => void
const operationAt = (document: OpenApi, path: string, method: string) =>
  document.paths[path]?.[method] as Operation
const schemaAt = ({ components }: OpenApi, name: string) => components.schemas[name] as Schema
const errorAt = (document: OpenApi, path: string, method: string, status: number) =>
  resolve(document, operationAt(document, path, method).responses[status] as Response)
const memberAt = (document: OpenApi, schema: string, name: string) =>
  resolve(document, schemaAt(document, schema).properties?.[name] ?? {})

function problemsOf(change: Change): string[] {
  const document = current()
  change(document)
  return findBreakingChanges(surface, document)
}

describe('a breaking change of a stable operation is found', () => {
  const planted: Record<string, Change> = {
    'it becomes beta': (document) => {
      operationAt(document, '/store/orders/{orderId}/ship', 'post')['x-stability-level'] = 'beta'
    },
    'its path parameter is renamed': (document) => {
      const operation = operationAt(document, '/categories/{categoryId}', 'get')
      const [id] = operation.parameters ?? []
      Object.assign(id ? resolve(document, id) : {}, { name: 'category' })
    },
    'a shared parameter is narrowed': ({ components }) => {
      const { Limit } = components.parameters as Record<string, { schema: Schema }>
      Object.assign(Limit?.schema ?? {}, { maximum: 50 })
    },
    'a member of its body is required': (document) => {
      schemaAt(document, 'NewOrder').required?.push('quantity')
    },
    'a text of its body has another pattern': (document) => {
      memberAt(document, 'NewCategory', 'name').pattern = '^[ -~]*$'
    },
    'a member can no longer be removed': (document) => {
      memberAt(document, 'CategoryChange', 'description').anyOf?.pop()
    },
    'its body takes no unknown members': (document) => {
      schemaAt(document, 'NewOrder').additionalProperties = false
    },
    'its success has another status': (document) => {
      const { responses } = operationAt(document, '/store/orders/{orderId}', 'delete')
      responses[200] = responses[204] as Response
      delete responses[204]
    },
    'an error code is renamed': (document) => {
      const shared = errorAt(document, '/store/orders/{orderId}', 'delete', 409)
      shared['x-error-codes'] = ['not_cancellable']
    },
    'a header of a response is removed': (document) => {
      delete operationAt(document, '/categories', 'post').responses[201]?.headers?.Location
    },
    'errors are no longer sent as problem details': (document) => {
      delete errorAt(document, '/store/orders/{orderId}', 'get', 404).content?.[
        'application/problem+json'
      ]
    },
    'a member of its record is removed': (document) => {
      delete schemaAt(document, 'Order').properties?.complete
    },
    'a member of its record may be missing': (document) => {
      schemaAt(document, 'InventoryItem').required?.pop()
    },
    'a member of its record may be null': (document) => {
      Object.assign(memberAt(document, 'Order', 'reference'), { type: ['string', 'null'] })
    },
    'a type of event is removed': (document) => {
      delete schemaAt(document, 'Event').discriminator?.mapping['key.rotated']
    },
    'the record of an event may be missing': (document) => {
      Object.assign(schemaAt(document, 'OrderPlacedEvent'), { required: ['id', 'type'] })
    },
    'a number of its record grows': (document) => {
      memberAt(document, 'Order', 'quantity').maximum = 2 ** 31 - 1
    },
    'its record has another name in generated code': (document) => {
      document.components.schemas.StoreOrder = schemaAt(document, 'Order')
      const { content } =
        operationAt(document, '/store/orders/{orderId}', 'get').responses[200] ?? {}
      Object.assign(content?.['application/json'] ?? {}, {
        schema: { $ref: '#/components/schemas/StoreOrder' },
      })
    },
  }
  for (const [title, change] of Object.entries(planted)) {
    it(title, () => assert.notDeepEqual(problemsOf(change), []))
  }
})

describe('what the promise allows is accepted', () => {
  const harmless: Record<string, Change> = {
    'a beta operation changes': (document) => {
      const details = operationAt(document, '/pets/{petId}/details', 'get')
      details.operationId = 'getDescription'
      delete details.responses[404]
      schemaAt(document, 'PetDetails').required = []
    },
    'a stable operation is deprecated': (document) => {
      const list = operationAt(document, '/inventory', 'get')
      Object.assign(list, { deprecated: true, 'x-sunset': '2032-01-01' })
    },
    'a type of event is added': ({ components: { schemas } }) => {
      const { mapping = {} } = schemas.Event?.discriminator ?? {}
      mapping['pet.groomed'] = mapping['pet.updated'] as string
    },
    'an order has a further member': (document) => {
      Object.assign(schemaAt(document, 'Order').properties ?? {}, { note: { type: 'string' } })
    },
  }
  for (const [title, change] of Object.entries(harmless)) {
    it(title, () => assert.deepEqual(problemsOf(change), []))
  }
})
