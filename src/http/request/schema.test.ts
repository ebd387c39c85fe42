import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Ajv } from 'ajv'
import { operations } from '../../app/operations.ts'
import { contentOf } from '../../contract/operation.ts'
import { pageParameters } from '../../contract/schemas.ts'
import { compileCheck } from './schema.ts'

// The service compiles its schemas without this check, which would take a tenth of its start.
it('each schema of a body or of parameters is valid JSON Schema', () => {
  const ajv = new Ajv()
  const schemas = [
    pageParameters,
    ...operations.flatMap(({ operation: { query, body } }) => [
      query,
      body && contentOf(body).schema,
    ]),
  ].filter((schema) => schema !== undefined)

  const invalid = schemas.filter((schema) => ajv.validateSchema(schema) !== true)
  // The service compiles each when it is first needed.
  for (const schema of schemas) {
    const check = compileCheck(schema, { locate: () => ({}), describe: () => 'wrong' })
    assert.doesNotThrow(() => check({}))
  }

  assert.ok(schemas.length > 5)
  assert.deepEqual(invalid, [])
  assert.equal(ajv.validateSchema({ type: 'object', required: 'name' }), false)
})
