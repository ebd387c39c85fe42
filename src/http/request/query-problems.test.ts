import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

it('400: the message shows the value of a parameter as it was written in the query', async () => {
  const { api } = await startApp()

  for (const [query, received] of [
    ['name=%zz', 'what is not percent-encoded UTF-8'],
    ['status=%ff', 'what is not percent-encoded UTF-8'],
    ['limit=1&limit=2&limit=3', 'it 3 times'],
    ['status=null', '"null"'],
  ] as const) {
    const response = await api.get(`/v1/pets?${query}`)
    expectError(response, 400, 'invalid_parameter')
    const { message } = response.json() as { message: string }
    assert.ok(message.endsWith(`; received ${received}.`), message)
  }
})
