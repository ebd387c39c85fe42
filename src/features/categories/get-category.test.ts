import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'

it('200: a new category is found at its Location', async () => {
  const { api } = await startApp()
  await api.post('/v1/categories', { name: 'Cats' })
  const created = await api.post('/v1/categories', { name: 'Dogs', description: 'Of any size.' })

  const response = await api.get(created.headers.location?.replace(/^.*\/v1/, '/v1') ?? '')

  assert.equal(response.status, 200)
  assert.equal(response.text, created.text)
})
