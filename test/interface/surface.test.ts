import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  findBreakingChanges,
  type OpenApi,
  type Operation,
  resolve,
  type Schema,
} from './find-breaking-changes.ts'

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as OpenApi
const surface = read('surface-1.0.0.json')

it('the document offers everything that interface 1.0.0 does', () => {
  assert.deepEqual(findBreakingChanges(surface, read('../../openapi.json')), [])
})

type Change = (document: OpenApi, schemas: Record<string, Schema>) => void

const operation = (document: OpenApi, path: string, method: string) =>
  document.paths[path]?.[method] as Operation
const parameterOf = (document: OpenApi, path: string, name: string) => {
  const { parameters = [] } = operation(document, path, 'get')
  const found = parameters
    .map((parameter) => resolve(document, parameter))
    .find((parameter) => parameter.name === name)
  assert.ok(found)
  return found
}
const member = (document: OpenApi, schema: string, name: string) =>
  resolve(document, document.components.schemas[schema]?.properties?.[name] ?? {})

function changed(change: Change): OpenApi {
  const document = read('../../openapi.json')
  change(document, document.components.schemas)
  return document
}

describe('a breaking change is found', () => {
  const planted: Record<string, Change> = {
    'a path is removed': ({ paths }) => delete paths['/pets/{petId}'],
    'an operation is renamed': (document) => {
      operation(document, '/pets', 'get').operationId = 'getPets'
    },
    'a tag is dropped': (document) => {
      operation(document, '/pets', 'post').tags = ['store']
    },
    'an operation needs no key': (document) => {
      operation(document, '/pets', 'get').security = []
    },
    'a new parameter is required': (document) => {
      parameterOf(document, '/pets', 'categoryId').required = true
    },
    'a default changes': (document) => {
      parameterOf(document, '/pets', 'limit').schema.default = 50
    },
    'a parameter changes its type': (document) => {
      parameterOf(document, '/pets/{petId}', 'petId').schema = { type: 'string' }
    },
    'a status of pets is removed': (_document, { PetStatus }) => PetStatus?.enum?.pop(),
    'a status of pets is added': (_document, { PetStatus }) => PetStatus?.enum?.push('reserved'),
    'a member is added to Pet': (_document, { Pet }) => {
      Object.assign(Pet?.properties ?? {}, { createdAt: { type: 'string' } })
    },
    'Pet allows additional members': (_document, { Pet }) => delete Pet?.additionalProperties,
    'a list comes in an envelope': (document) => {
      const { schema } = jsonOf(document, '/pets', 'get', 200)
      jsonOf(document, '/pets', 'get', 200).schema = {
        type: 'object',
        properties: { data: schema },
      }
    },
    'the version changes': ({ info }) => {
      info.version = '2.0.0'
    },
    'a base address changes': ({ servers }) => {
      Object.assign(servers?.[0] ?? {}, { url: 'https://pets.example.com/v2' })
    },
  }

  for (const [title, change] of Object.entries(planted)) {
    it(title, () => assert.notDeepEqual(findBreakingChanges(surface, changed(change)), []))
  }
})

describe('a compatible change is accepted', () => {
  const harmless: Record<string, Change> = {
    'a parameter is added': (document) => {
      const { parameters } = operation(document, '/pets', 'get')
      parameters?.push({ name: 'name', in: 'query', schema: { type: 'string' } })
    },
    'a limit is widened': (document) => {
      parameterOf(document, '/pets', 'limit').schema.maximum = 200
    },
    'a pattern is written differently': (document) => {
      member(document, 'NewPet', 'name').pattern = '\\S'
    },
  }

  for (const [title, change] of Object.entries(harmless)) {
    it(title, () => assert.deepEqual(findBreakingChanges(surface, changed(change)), []))
  }
})

function jsonOf(document: OpenApi, path: string, method: string, status: number) {
  return operation(document, path, method).responses[status]?.content?.['application/json'] as {
    schema: Schema
  }
}
