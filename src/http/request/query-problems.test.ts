import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

it('400: the message shows the value of a parameter as it was written in the query', async () => {
  const { api } = await startApp()

  for (const [query, expected] of [
    ['name=%zz', 'name must be percent-encoded UTF-8; received other bytes.'],
    ['status=%ff', 'status must be percent-encoded UTF-8; received other bytes.'],
    ['limit=1&limit=2', 'limit was sent twice; send it once.'],
    ['limit=1&limit=2&limit=3', 'limit was sent 3 times; send it once.'],
    ['status=null', 'status must be available, pending or sold; received "null".'],
    [
      'status=Available',
      'status must be available, pending or sold; received "Available"; did you mean available?',
    ],
    ['id=1,2', 'id must be an integer; received "1,2"; send the parameter once for each value.'],
    ['categoryId=cats', 'categoryId must be an integer; received "cats".'],
  ] as const) {
    const response = await api.get(`/v1/pets?${query}`)
    expectError(response, 400, 'invalid_parameter')
    const { message } = response.json() as { message: string }
    assert.equal(message, expected)
  }
})
