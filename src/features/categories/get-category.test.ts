import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

it('200: a new category is found at its Location', async () => {
  const { api } = await startApp()
  await api.post('/v1/categories', { name: 'Cats' })
  const created = await api.post('/v1/categories', { name: 'Dogs', description: 'Of any size.' })

  const response = await api.get(created.headers.location?.replace(/^.*\/v1/, '/v1') ?? '')

  assert.equal(response.status, 200)
  assert.equal(response.text, created.text)
})

it('404: no category has the id', async () => {
  const { api } = await startApp()
  await api.post('/v1/categories', { name: 'Dogs' })

  const response = await api.get('/v1/categories/2')

  expectError(response, 404, 'not_found')
  assert.match(response.text, /no category with the id 2/)
})
