import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OrdersHistory, type SeenOrder } from './history.ts'
import {
  ask,
  check,
  expectPassed,
  expectViolation,
  move,
  order,
  type Run,
  refuse,
  soundRun,
  start,
} from './sound-run.ts'

const ofPet2 = { petId: 2 }
const ofPet3 = { petId: 3 }
const notShipped = { outcome: 'refused', code: 'invalid_transition' } as const
const notCancelled = { outcome: 'refused', code: 'order_not_cancellable' } as const

const fine: [string, (run: Run) => void][] = [
  ['what is sound', () => {}],
  [
    'a sale of unknown outcome with an order',
    (run) => {
      const sale = order(run, 5, 'pending', 300, ofPet3)
      sale.attempts.length = 0
      ask(sale, { startMs: 300, outcome: 'unknown' })
    },
  ],
  [
    'a refusal while an order may not have been cancelled yet',
    (run) => {
      order(run, 5, 'cancelled', 300, { petId: 3, quantity: 10 })
      move(run, 5, 'cancelled', 310, { outcome: 'unknown' })
      refuse(run, 'pet_not_available', 400, ofPet3)
    },
  ],
  [
    'a refused request whose repetition with the key succeeded',
    (run) => {
      const sale = start(run, ofPet3)
      order(run, 5, 'cancelled', 300, { petId: 3, quantity: 10 })
      ask(sale, { startMs: 305, outcome: 'refused', code: 'pet_not_available' })
      move(run, 5, 'cancelled', 310)
      ask(sale, { startMs: 320, orderId: 6 })
      const { reference, quantity } = sale
      run.orders.push({ id: 6, petId: 3, quantity, status: 'pending', reference })
    },
  ],
  [
    'a move of unknown outcome, done or not',
    (run) => {
      order(run, 5, 'shipped', 300, ofPet3)
      move(run, 5, 'shipped', 310, { outcome: 'unknown' })
      order(run, 6, 'pending', 300, ofPet3)
      move(run, 6, 'shipped', 310, { outcome: 'unknown' })
    },
  ],
  [
    'a repeated cancellation whose first request of unknown outcome succeeded',
    (run) => {
      order(run, 5, 'cancelled', 300, ofPet3)
      ask(move(run, 5, 'cancelled', 310, { outcome: 'unknown' }), { startMs: 320, ...notCancelled })
    },
  ],
]

const plants: [string, RegExp, (run: Run) => void][] = [
  [
    'a pet that two orders held at the same time',
    /^oversold: of pet 1 there are 1, and orders 1,2 held it at once/,
    ({ history }) => Object.assign(history.moves[0]?.attempts[0] ?? {}, { startMs: 25 }),
  ],
  [
    'orders for more than the stock',
    /^oversold: of pet 2 there are 5, and orders 3,4,5 held it at once/,
    (run) => {
      order(run, 5, 'cancelled', 80, ofPet2)
      move(run, 5, 'cancelled', 90)
    },
  ],
  [
    'a refusal before any order held the pet',
    /^unjustified: sale .*, for 1 of pet 1, met pet_not_available/,
    (run) => refuse(run, 'pet_not_available', 5),
  ],
  [
    'a refusal because of an order that was already cancelled',
    /^unjustified: sale .*, for 1 of pet 3, met pet_not_available/,
    (run) => {
      order(run, 5, 'cancelled', 300, { petId: 3, quantity: 10 })
      move(run, 5, 'cancelled', 310)
      refuse(run, 'pet_not_available', 320, ofPet3)
    },
  ],
  ['a lost order', /^lost: order 4, sale/, ({ orders }) => orders.splice(3)],
  [
    'a changed order',
    /^changed: order 4/,
    ({ orders }) => Object.assign(orders[3] ?? {}, { quantity: 1 }),
  ],
  [
    'an order that no client requested',
    /^foreign: order 5 was never sent/,
    ({ orders }) => orders.push({ id: 5, petId: 3, quantity: 1, status: 'pending' }),
  ],
  [
    'an order whose request was refused',
    /^foreign: order 5, sale .*, was refused, yet is there/,
    (run) => {
      const { reference } = refuse(run, 'unavailable', 300, ofPet3)
      run.orders.push({ id: 5, petId: 3, quantity: 1, status: 'pending', reference })
    },
  ],
  [
    'two orders for one key',
    /^repeated: sale .* is orders 5,6/,
    (run) => {
      order(run, 5, 'pending', 300, ofPet3)
      run.orders.push({ ...(run.orders[4] as SeenOrder), id: 6 })
    },
  ],
  [
    'a repetition refused after its key had succeeded',
    /^forgotten: sale .* was placed, and refused when repeated/,
    (run) => {
      const sale = order(run, 5, 'cancelled', 300, ofPet3)
      move(run, 5, 'cancelled', 310)
      order(run, 6, 'pending', 320, { petId: 3, quantity: 10 })
      ask(sale, { startMs: 330, outcome: 'refused', code: 'pet_not_available' })
    },
  ],
  [
    'stock that a cancelled order did not return',
    /^stock: of pet 2 there are 5 of which 5 reserved, pending; by its orders 5 of which 3/,
    ({ stocks }) => stocks.set(2, { petId: 2, quantity: 5, status: 'pending', reserved: 5 }),
  ],
  [
    'a status that does not follow the stock',
    /^stock: of pet 2 .* reserved, sold; by its orders .* available/,
    ({ stocks }) => stocks.set(2, { petId: 2, quantity: 5, status: 'sold', reserved: 3 }),
  ],
  ['an odd answer', /^odd: 500/, ({ history }) => history.anomalies.push('odd: 500')],
  [
    'a lost delivery',
    /^lost: order 2 was delivered, and is shipped/,
    ({ orders }) => Object.assign(orders[1] ?? {}, { status: 'shipped' }),
  ],
  [
    'an order that is both shipped and cancelled',
    /^lost: order 5 was shipped, and is cancelled/,
    (run) => {
      order(run, 5, 'cancelled', 300, ofPet3)
      move(run, 5, 'cancelled', 310)
      move(run, 5, 'shipped', 310)
    },
  ],
  [
    'a cancelled order without a request to cancel it',
    /^unasked: order 4 is cancelled, and nobody had it cancelled/,
    ({ orders }) => Object.assign(orders[3] ?? {}, { status: 'cancelled' }),
  ],
  [
    'an order that expired too early',
    /^unasked: order 4 has expired before its time/,
    ({ orders }) => Object.assign(orders[3] ?? {}, { dueMs: 2_000 }),
  ],
  [
    'a delivery that two requests acknowledged',
    /^repeated: order 2 was delivered 2 times/,
    (run) => move(run, 2, 'delivered', 300),
  ],
  [
    'a shipment refused without a cause',
    /^unjustified: order 3 was not shipped/,
    (run) => move(run, 3, 'shipped', 300, notShipped),
  ],
  [
    'a cancellation refused before the hold ended',
    /^unjustified: order 4 was not cancelled/,
    (run) => move(run, 4, 'cancelled', 100, notCancelled),
  ],
]

describe('a history of orders', () => {
  for (const [what, add] of fine) {
    it(`passes ${what}`, () => {
      const run = soundRun()
      add(run)

      expectPassed(run)
    })
  }

  for (const [what, violation, plant] of plants) {
    it(`reports ${what}`, () => {
      const run = soundRun()
      plant(run)

      expectViolation(run, violation)
    })
  }

  it('is unknown when no fault happened, a service responded to nothing, or nothing was placed or refused', () => {
    const run = soundRun()
    const calm = { history: new OrdersHistory(), orders: [], stocks: new Map() }

    assert.equal(check(run, { faults: 0 }).verdict, 'unknown')
    assert.equal(check(run, { sinceMs: 10_000 }).verdict, 'unknown')
    assert.equal(check(run, { services: 3 }).verdict, 'unknown')
    const reasons = ['no order was placed', 'no order was refused']
    assert.deepEqual(check(calm, { services: 0 }), { verdict: 'unknown', reasons })
  })
})
