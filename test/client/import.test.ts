import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PetstoreApiError, PetstoreClient } from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'

it('a client imports a text, bytes, a Blob and a stream; each stored once, and wrong rows named', async (t) => {
  const store = await startPetstore()
  t.after(() => store.close())
  const client = new PetstoreClient({ ...store, onWarning: () => undefined })
  const csv = 'name,categoryId\nRex,7\n'
  const lines = '{"name":"Max","categoryId":9007199254740993}\n'
  const type = 'application/x-ndjson'

  const reports = [
    await client.pets.import(csv),
    await client.pets.import(new TextEncoder().encode(csv), { dryRun: true }),
    await client.pets.import(new Blob([lines], { type })),
    await client.pets.import(new Blob([lines]).stream(), {}, { type, idempotencyKey: 'once' }),
    await client.pets.import(lines, {}, { type, idempotencyKey: 'once' }),
  ]
  const wrong = 'name,categoryId\n,7\n'
  const refused = client.pets.import(wrong)

  assert.deepEqual(
    reports.map(({ created }) => created),
    [1, 1, 1, 1, 1],
  )
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof PetstoreApiError && error.code === 'rows_refused')
    assert.deepEqual(error.problems, [
      { line: 2, column: 'name', code: 'invalid_body', detail: 'is missing' },
    ])
    return true
  })
  const pets = (await client.pets.list()).data
  assert.deepEqual(
    pets.map(({ categoryId }) => categoryId),
    [7, 9007199254740993n, 9007199254740993n],
  )
})
