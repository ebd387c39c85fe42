import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../test/support/app.ts'
import { sweep } from '../sweep.ts'

type App = Awaited<ReturnType<typeof startApp>>
type Status = 'available' | 'pending' | 'sold'

const holdMs = 1_000

/** One animal and its orders, as the design's section "Store" has them. Each method answers the expected status and code. */
class Model {
  stated: Status | undefined
  onHand: number
  isThere = true
  orders: { quantity: number; status: string; dueMs: number }[] = []

  constructor(stated: Status | undefined) {
    this.stated = stated
    this.onHand = stated === 'sold' ? 0 : 1
  }

  get reserved() {
    const open = this.orders.filter(({ status }) => ['pending', 'shipped'].includes(status))
    return open.reduce((sum, { quantity }) => sum + quantity, 0)
  }

  get status(): Status | undefined {
    if (this.stated !== 'available') return this.stated
    if (this.onHand > this.reserved) return 'available'
    return this.reserved > 0 ? 'pending' : 'sold'
  }

  expire(nowMs: number) {
    for (const order of this.orders) {
      if (order.status === 'pending' && order.dueMs <= nowMs) order.status = 'expired'
    }
  }

  change(to: Status) {
    if (!this.isThere) return '404 not_found'
    if (to === this.status) return '200'
    if (this.reserved > 0) return '409 pet_in_open_order'
    if (this.status === 'sold' && to === 'pending') return '409 invalid_transition'
    this.stated = to
    if (to === 'sold') this.onHand = 0
    if (to === 'available') this.onHand = Math.max(1, this.onHand)
    return '200'
  }

  count(quantity: number) {
    if (!this.isThere || this.stated === undefined) return '404 not_found'
    if (quantity < this.reserved) return '409 insufficient_stock'
    this.onHand = quantity
    return '200'
  }

  remove() {
    if (!this.isThere) return '404 not_found'
    if (this.reserved > 0) return '409 pet_in_open_order'
    this.isThere = false
    return '204'
  }

  order(quantity: number, nowMs: number) {
    if (!this.isThere) return '404 not_found'
    if (this.status !== 'available') return '409 pet_not_available'
    if (this.onHand - this.reserved < quantity) return '409 insufficient_stock'
    this.orders.push({ quantity, status: 'pending', dueMs: nowMs + holdMs })
    return '201'
  }

  move(at: number, from: string, to: string, [success, refusal]: readonly [string, string]) {
    const order = this.orders[at]
    if (!order) return '404 not_found'
    if (order.status !== from) return `409 ${refusal}`
    order.status = to
    if (to === 'delivered') this.onHand -= order.quantity
    return success
  }
}

type Step = { do: keyof typeof steps; number: number; to: Status }

/** What a client does, and what the model says of it. */
const steps = {
  change: ({ api }: App, model: Model, { to }: Step) => ({
    expected: model.change(to),
    sent: api.send('PATCH', '/v1/pets/1', { body: { status: to } }),
  }),
  count: ({ api }: App, model: Model, { number }: Step) => ({
    expected: model.count(number),
    sent: api.send('PATCH', '/v1/inventory/1', { body: { quantity: number } }),
  }),
  remove: ({ api }: App, model: Model) => ({
    expected: model.remove(),
    sent: api.send('DELETE', '/v1/pets/1'),
  }),
  order: ({ api, clock }: App, model: Model, { number }: Step) => ({
    expected: model.order(number + 1, clock.ms),
    sent: api.post('/v1/store/orders', { petId: 1, quantity: number + 1 }),
  }),
  ship: ({ api }: App, model: Model, { number }: Step) => ({
    expected: model.move(number, 'pending', 'shipped', ['200', 'invalid_transition']),
    sent: api.send('POST', `/v1/store/orders/${number + 1}/ship`),
  }),
  deliver: ({ api }: App, model: Model, { number }: Step) => ({
    expected: model.move(number, 'shipped', 'delivered', ['200', 'invalid_transition']),
    sent: api.send('POST', `/v1/store/orders/${number + 1}/deliver`),
  }),
  cancel: ({ api }: App, model: Model, { number }: Step) => ({
    expected: model.move(number, 'pending', 'cancelled', ['204', 'order_not_cancellable']),
    sent: api.send('DELETE', `/v1/store/orders/${number + 1}`),
  }),
}

const statuses = fc.constantFrom('available' as const, 'pending' as const, 'sold' as const)
const someSteps = fc.array(
  fc.record({
    do: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('change', 'count', 'order', 'order' as const) },
      { weight: 4, arbitrary: fc.constantFrom('ship', 'deliver', 'cancel' as const) },
      { weight: 1, arbitrary: fc.constant('remove' as const) },
    ) as fc.Arbitrary<Step['do']>,
    number: fc.nat({ max: 4 }),
    to: statuses,
    waitsMs: fc.constantFrom(0, 0, 0, 0, 400),
  }),
  { maxLength: 30, size: 'max' },
)

it('property: status, stock and orders go as the design says, whatever is done in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(statuses, { nil: undefined }), someSteps, async (stated, todo) => {
      const app = await startApp({ settings: { PETSTORE_ORDER_HOLD_MS: String(holdMs) } })
      await app.api.createPet(stated === undefined ? {} : { status: stated })
      const model = new Model(stated)

      for (const { waitsMs, ...step } of todo) {
        app.clock.ms += waitsMs
        // No sweep yet: whatever touches an order that is due expires it first.
        model.expire(app.clock.ms)
        const { expected, sent } = steps[step.do](app, model, step)
        const { status, text } = await sent
        const code = status >= 400 ? ` ${(JSON.parse(text) as { code: string }).code}` : ''
        assert.equal(`${status}${code}`, expected, JSON.stringify(step))
      }

      await sweep(app.context)
      await checkAgainst(model, app)
      await app.close()
    }),
    { numRuns: 30 },
  )
})

async function checkAgainst(model: Model, { api }: App) {
  const pet = await api.get('/v1/pets/1')
  if (model.isThere) assert.equal((pet.json() as { status?: Status }).status, model.status)
  else assert.equal(pet.status, 404)
  const item = { petId: 1, quantity: model.onHand, status: model.status }
  const isInInventory = model.isThere && model.stated !== undefined
  assert.deepEqual((await api.get('/v1/inventory')).json(), isInInventory ? [item] : [])
  const orders = (await api.get('/v1/store/orders')).json() as {
    quantity: number
    status: string
  }[]
  assert.deepEqual(
    orders.map(({ quantity, status }) => ({ quantity, status })),
    model.orders.map(({ quantity, status }) => ({ quantity, status })),
  )
}
