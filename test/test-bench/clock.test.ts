import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { noInstants } from '../harness/instants.ts'
import { call } from '../harness/petstore.ts'

type Store = Awaited<ReturnType<typeof startPetstore>>

async function orderStatus(store: Store): Promise<unknown> {
  const response = await call(store, '/store/orders/1')
  return ((await response.json()) as { status: string }).status
}

const oneOrder = {
  pets: [{ name: 'Rex', status: 'available' }],
  orders: [{ pet: 'Rex' }],
}

it('a hold expires when the clock is advanced past it, before the promise resolves', async () => {
  await using store = await startPetstore({ fixture: oneOrder, orderHoldMs: 900_000 })
  await store.clock.advance(600_000)
  assert.equal(await orderStatus(store), 'pending')

  await store.clock.advance(300_000)

  assert.equal(await orderStatus(store), 'expired')
})

it('the clock is set, frozen, advanced while frozen, and reset', async () => {
  await using store = await startPetstore()
  const set = '2031-01-02T03:04:05.678Z'

  await store.clock.freeze()
  assert.equal((await store.clock.set(set)).toISOString(), set)
  assert.equal((await store.clock.advance(322)).toISOString(), '2031-01-02T03:04:06.000Z')
  assert.equal((await store.clock.now()).toISOString(), '2031-01-02T03:04:06.000Z')
  const running = await store.clock.unfreeze()
  assert.ok(running.getTime() >= Date.parse('2031-01-02T03:04:06.000Z'))

  await store.reset()
  assert.ok(Math.abs((await store.clock.now()).getTime() - Date.now()) < 60_000)
  for (const text of noInstants)
    await assert.rejects(store.clock.set(text), /now must be an instant/)
  await assert.rejects(store.clock.advance(-1), /advanceMs must be an integer from 0/)
})

it('a key expires when the clock is advanced past its end', async () => {
  await using store = await startPetstore({ keys: [{ validMs: 900_000 }, {}] })
  const [limited = '', unlimited = ''] = store.keys
  const codes = async () => {
    const pages = [limited, unlimited].map((key) => call({ ...store, key }, '/pets'))
    return (await Promise.all(pages)).map(({ status }) => status)
  }

  await store.clock.advance(800_000)
  assert.deepEqual(await codes(), [200, 200])
  await store.clock.advance(100_000)

  assert.deepEqual(await codes(), [401, 200])
  const response = await call({ ...store, key: limited }, '/pets')
  assert.equal(((await response.json()) as { code: string }).code, 'expired_api_key')
})

it('the clock stays before the year 9999, whose end a hold could pass', async () => {
  await using store = await startPetstore({ fixture: oneOrder })

  const end = await store.clock.set('9998-12-31T23:00:00Z')

  assert.equal(end.toISOString().slice(0, 13), '9998-12-31T23')
  await assert.rejects(store.clock.advance(3_600_000), /before 9999-01-01/)
  await assert.rejects(store.clock.set('9999-12-31T00:00:00Z'), /before 9999-01-01/)
  assert.equal((await store.clock.now()).toISOString().slice(0, 13), '9998-12-31T23')
})
