import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

it('404: an unknown pet, one without a status, and one that was deleted', async () => {
  const { api } = await startApp()
  await api.createPet()
  await api.createPet({ status: 'sold' })
  await api.send('DELETE', '/v1/pets/2')

  for (const id of [1, 2, 3]) {
    const response = await api.get(`/v1/inventory/${id}`)
    expectError(response, 404, 'not_found')
    assert.match(response.text, new RegExp(`no pet with the id ${id} in the inventory`))
  }
  await api.send('PATCH', '/v1/pets/1', { body: { status: 'sold' } })
  assert.equal((await api.get('/v1/inventory/1')).text, '{"petId":1,"quantity":0,"status":"sold"}')
})
