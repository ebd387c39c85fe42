import { describe, it } from 'node:test'
import { ask, expectPassed, expectViolation, move, order, type Run, soundRun } from './sound-run.ts'

const ofPet3 = { petId: 3 }
const notShipped = { outcome: 'refused', code: 'invalid_transition' } as const
const notCancelled = { outcome: 'refused', code: 'order_not_cancellable' } as const

const fine: [string, (run: Run) => void][] = [
  [
    'a concurrent ship and cancel of which one is refused',
    (run) => move(run, 2, 'cancelled', 29, notCancelled),
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
  [
    'a cancellation that a balancer sent again, and whose first request succeeded',
    (run) => {
      order(run, 5, 'cancelled', 300, ofPet3)
      move(run, 5, 'cancelled', 310, { ...notCancelled, outcome: 'unknown' })
    },
  ],
  ['a refused move of an expired order', (run) => move(run, 4, 'cancelled', 210, notCancelled)],
  ['a delivery before the shipment is known', (run) => move(run, 2, 'delivered', 29, notShipped)],
  [
    'a request repeated with its key',
    (run) => {
      order(run, 5, 'shipped', 300, ofPet3)
      ask(move(run, 5, 'shipped', 310), { startMs: 320 })
    },
  ],
]

const plants: [string, RegExp, (run: Run) => void][] = [
  [
    'a lost delivery',
    /^lost: order 2 was delivered, and is shipped/,
    ({ orders }) => Object.assign(orders[1] ?? {}, { status: 'shipped' }),
  ],
  [
    'a cancelled order that is still open',
    /^lost: order 5 was cancelled, and is pending/,
    (run) => {
      order(run, 5, 'pending', 300, ofPet3)
      move(run, 5, 'cancelled', 310)
    },
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
    'a cancelled order whose cancellation was refused',
    /^unasked: order 5 is cancelled, and nobody had it cancelled/,
    (run) => {
      order(run, 5, 'cancelled', 300, ofPet3)
      move(run, 5, 'cancelled', 310, { outcome: 'refused', code: 'unavailable' })
    },
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
  [
    'a refused delivery of a shipped order',
    /^unjustified: order 5 was not delivered/,
    (run) => {
      order(run, 5, 'shipped', 300, ofPet3)
      move(run, 5, 'shipped', 310)
      move(run, 5, 'delivered', 320, notShipped)
    },
  ],
  [
    'a repetition refused because its first request had succeeded',
    /^unjustified: order 5 was not shipped/,
    (run) => {
      order(run, 5, 'shipped', 300, ofPet3)
      ask(move(run, 5, 'shipped', 310), { startMs: 320, ...notShipped })
    },
  ],
]

describe('moves of orders', () => {
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
})
