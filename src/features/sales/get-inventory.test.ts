import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'

it('200: the stock of one pet, as the list has it, at every moment of an order', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'available' })
  const seen: string[] = []
  const look = async () => {
    const { text } = await api.get('/v1/inventory/1')
    assert.equal((await api.get('/v1/inventory?petId=1')).text, `[${text}]`)
    const { petId, quantity, status } = JSON.parse(text)
    seen.push(`${petId} ${quantity} ${status}`)
  }

  await look()
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 2 } })
  await look()
  await api.post('/v1/store/orders', { petId: 1, quantity: 2 })
  await look()
  await api.send('POST', '/v1/store/orders/1/ship')
  await api.send('POST', '/v1/store/orders/1/deliver')
  await look()

  assert.deepEqual(seen, ['1 1 available', '1 2 available', '1 2 pending', '1 0 sold'])
})

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
