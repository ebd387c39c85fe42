import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { isOnPostgres } from '../../../test/harness/engine.ts'
import { cases } from '../../../test/harness/extent.ts'
import { readLists } from '../../../test/harness/mirror.ts'

type Verb = keyof typeof verbs
type Status = keyof typeof ways

const verbs = {
  ship: { method: 'POST', path: '/ship', success: 200, refusal: 'invalid_transition' },
  deliver: { method: 'POST', path: '/deliver', success: 200, refusal: 'invalid_transition' },
  cancel: { method: 'DELETE', path: '', success: 204, refusal: 'order_not_cancellable' },
} as const

/** How an order gets into each status. It expires when an operation or a sweep visits its pet after the due time. */
const ways = {
  pending: [],
  shipped: ['ship'],
  delivered: ['ship', 'deliver'],
  cancelled: ['cancel'],
  expired: ['expire'],
} as const satisfies Record<string, readonly (Verb | 'expire')[]>

/** All allowed moves (the design's section "Store"). */
const allowed: Partial<Record<`${Status} ${Verb}`, Status>> = {
  'pending ship': 'shipped',
  'pending cancel': 'cancelled',
  'shipped deliver': 'delivered',
}

const holdMs = 1_000
const move = (api: TestApi, verb: Verb, id: number | string = 1, sent = {}) =>
  api.send(verbs[verb].method, `/v1/store/orders/${id}${verbs[verb].path}`, sent)

/** A stock of three of pet 1; order 1 is for two of them. */
async function startWith(status: Status) {
  const app = await startApp({ settings: { PETSTORE_ORDER_HOLD_MS: String(holdMs) } })
  const { api, clock } = app
  await api.createPet({ status: 'available' })
  await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 3 } })
  assert.equal((await api.post('/v1/store/orders', { petId: 1, quantity: 2 })).status, 201)
  for (const step of ways[status]) {
    if (step !== 'expire') {
      await move(api, step)
      continue
    }
    clock.ms += holdMs
    await api.send('PATCH', '/v1/inventory/1', { body: { quantity: 3 } })
  }
  assert.equal(await statusOf(api), status)
  return app
}

for (const from of cases(Object.keys(ways) as Status[], { quickEvery: isOnPostgres ? 2 : 1 })) {
  describe(`an order that is ${from}`, () => {
    for (const verb of Object.keys(verbs) as Verb[]) {
      const { success, refusal } = verbs[verb]
      const to = allowed[`${from} ${verb}`]

      if (to === undefined) {
        it(`409: refuses to ${verb}: ${refusal}; nothing changes`, async () => {
          const { api, clock } = await startWith(from)
          const before = await readLists(api)
          clock.ms += 1

          const response = await move(api, verb)

          expectError(response, 409, refusal)
          assert.match(response.text, new RegExp(`Order 1 is ${from}; only a `))
          assert.deepEqual(await readLists(api), before)
        })
        continue
      }
      it(`${success}: ${verb} makes it ${to}`, async () => {
        const { api, clock } = await startWith(from)
        clock.ms += 1

        const response = await move(api, verb)

        assert.equal(response.status, success)
        assert.equal(await statusOf(api), to)
        const read = await api.get('/v1/store/orders/1')
        assert.equal(response.text, success === 204 ? '' : read.text)
        for (const name of ['etag', 'location']) assert.equal(response.headers[name], undefined)
      })
    }
  })
}

/**
 * What a client reads of a pet with a stock of three while an order for two is in each status; `free` can be ordered.
 */
const stocks: Record<Status, { quantity: number; free: number }> = {
  pending: { quantity: 3, free: 1 },
  shipped: { quantity: 3, free: 1 },
  delivered: { quantity: 1, free: 1 },
  cancelled: { quantity: 3, free: 3 },
  expired: { quantity: 3, free: 3 },
}

for (const [status, { quantity, free }] of Object.entries(stocks)) {
  it(`200: while an order for 2 of 3 is ${status}, the stock is ${quantity} and ${free} can be ordered`, async () => {
    const { api } = await startWith(status as Status)
    const inventory = async () => (await api.get('/v1/inventory')).json()

    assert.deepEqual(await inventory(), [{ petId: 1, quantity, status: 'available' }])
    assert.match((await api.get('/v1/pets/1')).text, /"status":"available"/)
    expectError(
      await api.post('/v1/store/orders', { petId: 1, quantity: free + 1 }),
      409,
      'insufficient_stock',
    )
    assert.equal((await api.post('/v1/store/orders', { petId: 1, quantity: free })).status, 201)
    assert.deepEqual(await inventory(), [{ petId: 1, quantity, status: 'pending' }])
  })
}

it('200 once, else 409: concurrent equal moves of one order', async () => {
  for (const verb of ['ship', 'deliver', 'cancel'] as const) {
    const { api } = await startWith(verb === 'deliver' ? 'shipped' : 'pending')

    const answers = await Promise.all(Array.from({ length: 12 }, () => move(api, verb)))

    const moved = answers.filter(({ status }) => status === verbs[verb].success)
    assert.equal(moved.length, 1, verb)
    for (const answer of answers.filter((one) => one !== moved[0])) {
      expectError(answer, 409, verbs[verb].refusal)
    }
    const [item] = (await api.get('/v1/inventory')).json() as { quantity: number }[]
    assert.equal(item?.quantity, verb === 'deliver' ? 1 : 3)
  }
})

it('204 or 200 once, else 409: a concurrent ship and cancel of one order', async () => {
  const { api } = await startWith('pending')

  const [shipped, cancelled] = await Promise.all([move(api, 'ship'), move(api, 'cancel')])

  assert.notEqual(shipped.status === 200, cancelled.status === 204)
  assert.equal(await statusOf(api), shipped.status === 200 ? 'shipped' : 'cancelled')
})

async function statusOf(api: TestApi): Promise<string> {
  const order = (await api.get('/v1/store/orders/1')).json() as { status: string }
  return order.status
}
