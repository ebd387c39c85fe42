import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { insertOrders } from '../../../test/harness/orders.ts'
import { storage } from '../../app/storage.ts'
import { canonicalNameOf } from '../../contract/name-key.ts'
import { categoryWrites } from '../../features/categories/queries.ts'
import { insertPets } from '../../features/pets/queries.ts'

const textsCheck = storage.checks.find(({ name }) => name === 'texts') ?? assert.fail()
const words = ['Rex', '\ufeff x', '', 'a\u0085', 'x\u200b']
const ofLengths = (...lengths: number[]) => lengths.map((length) => '\u{1d11e}'.repeat(length))

it('verify reports exactly the texts that the interface refuses', async () => {
  const { api, context } = await startApp()
  const { db } = context
  const { id } = await api.createPet({ name: 'Rex', status: 'available' })
  await api.send('PATCH', `/v1/inventory/${id}`, { body: { quantity: 1_000 } })
  const find = async () => (await db.scan(textsCheck.scan, undefined)).length
  const post = async (url: string, body: object) => (await api.post(url, body)).status === 201

  for (const name of [...words, ...ofLengths(1_000, 1_001)]) {
    const before = await find()
    await db.write(insertPets, { name, categoryId: 1n })
    assert.equal((await find()) === before, await post('/v1/pets', { name, categoryId: 1 }), name)
  }
  for (const [index, text] of [...words, ...ofLengths(100, 101, 2_000, 2_001)].entries()) {
    const before = await find()
    await db.write(categoryWrites.insert, { name: `stored ${index}`, description: text })
    const isAccepted = await post('/v1/categories', { name: `sent ${index}`, description: text })
    assert.equal((await find()) === before, isAccepted, text)
  }
  for (const text of [...words, ...ofLengths(200, 201)]) {
    const before = await find()
    await insertOrders(context, [[Number(id), 1, 'cancelled', text]])
    const isAccepted = await post('/v1/store/orders', { petId: id, reference: text })
    assert.equal((await find()) === before, isAccepted, text)
  }
  // No two names of categories look alike.
  const names = new Map(words.toReversed().map((name) => [canonicalNameOf(name), name]))
  for (const name of [...names.values(), ...ofLengths(100, 101)]) {
    const before = await find()
    const isAccepted = await post('/v1/categories', { name })
    if (!isAccepted) await db.write(categoryWrites.insert, { name })
    assert.equal((await find()) === before, isAccepted, name)
  }
})
