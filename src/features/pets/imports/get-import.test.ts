import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../../test/harness/app.ts'
import { afterFirstBatch, importFile as send } from '../../../../test/harness/imports.ts'

it('200: the progress of an import counts its rows as they are stored, for its key alone', async () => {
  const { api, context, issueKey } = await startApp()
  const other = await issueKey({ scopes: ['pets:write'] })
  const file = `id,name,categoryId\n1,Max,1\n${',Rex,7\n'.repeat(450)},Max,x\n`
  await api.createPet()
  const progress = async (options = {}) =>
    (await api.get('/v1/pets/import?idempotencyKey=spring', options)).json()
  const none = { rows: 0, created: 0, updated: 0, refused: 0 }
  let between: unknown
  afterFirstBatch(context, async () => {
    between = await progress()
  })
  const before = await progress()

  const headers = { 'idempotency-key': 'spring' }
  const { status } = await send(api, file, { headers, query: '?onError=skip' })

  assert.equal(status, 200)
  assert.deepEqual(before, none)
  assert.deepEqual(between, { rows: 451, created: 99, updated: 1, refused: 0 })
  assert.deepEqual(await progress(), { rows: 451, created: 450, updated: 1, refused: 0 })
  assert.deepEqual(await progress({ key: other }), none)
  assert.deepEqual((await api.get('/v1/pets/import')).json(), none)
})
