import assert from 'node:assert/strict'
import { requirePassed } from '../creates/history.ts'
import { checkOrders } from './check-run.ts'
import {
  type Attempt,
  type Move,
  OrdersHistory,
  type Sale,
  type SeenOrder,
  type SeenStock,
} from './history.ts'

/** A handwritten history of orders, and the store at the end; stocks are what the orders leave, unless given. */
export type Run = {
  history: OrdersHistory
  orders: SeenOrder[]
  stocks: Map<number, SeenStock | undefined>
}

/** The stock of each pet: small for the first two, large for the third, which the correct run does not order. */
const stockOf = [
  [1, 1],
  [2, 5],
  [3, 10],
] as const

/** Orders 1 and 2 are for pet 1, one after the other; 3 is open and 4 has expired, both for pet 2. */
export function soundRun(): Run {
  const history = new OrdersHistory()
  for (const [petId, stock] of stockOf) history.stockOf.set(petId, stock)
  const run: Run = { history, orders: [], stocks: new Map() }
  order(run, 1, 'cancelled', 10)
  move(run, 1, 'cancelled', 20)
  refuse(run, 'pet_not_available', 14)
  order(run, 2, 'delivered', 21)
  move(run, 2, 'shipped', 30)
  move(run, 2, 'delivered', 40)
  ask(order(run, 3, 'pending', 50, { petId: 2, quantity: 3 }), { startMs: 60, orderId: 3 })
  refuse(run, 'insufficient_stock', 56, { petId: 2, quantity: 3 })
  order(run, 4, 'expired', 70, { petId: 2, quantity: 2, dueMs: 200 })
  return run
}

type Wanted = { petId?: number; quantity?: number; dueMs?: number }

/** An order in the store at the end, acknowledged at its first request, with a key. */
export function order(
  run: Run,
  id: number,
  status: string,
  startMs: number,
  { dueMs, ...wanted }: Wanted = {},
): Sale {
  const sale = start(run, wanted)
  ask(sale, { startMs, orderId: id })
  const { petId, quantity, reference } = sale
  const due = dueMs === undefined ? {} : { dueMs }
  run.orders.push({ id, petId, quantity, status, reference, ...due })
  return sale
}

/** A sale that was refused. */
export function refuse(run: Run, code: string, startMs: number, wanted: Wanted = {}): Sale {
  const sale = start(run, wanted)
  ask(sale, { startMs, outcome: 'refused', code })
  return sale
}

/** A sale without requests: of one of pet 1, unless given. */
export function start({ history }: Run, { petId = 1, quantity = 1 }: Wanted): Sale {
  return history.startSale({ petId, quantity, isRepeatable: true })
}

/** A move of an order. Shipping and delivering have a key. */
export function move(
  { history }: Run,
  orderId: number,
  target: Move['target'],
  startMs: number,
  more: Partial<Attempt> = {},
): Move {
  const key = target === 'cancelled' ? undefined : `${target} ${history.moves.length}`
  const started = history.startMove({ orderId, target, key })
  ask(started, { startMs, ...more })
  return started
}

/** A request of 3 ms for each, to each service in turn; acknowledged, unless stated otherwise. */
export function ask(
  { attempts }: Sale | Move,
  { startMs, ...more }: Partial<Attempt> & { startMs: number },
): void {
  const service = attempts.length % 2
  attempts.push({ service, startMs, endMs: startMs + 3, outcome: 'acknowledged', ...more })
}

export function check(run: Run, wanted: object = {}) {
  const { history, orders } = run
  const stocks = [...history.stockOf.keys()].flatMap((petId) =>
    run.stocks.has(petId) ? (run.stocks.get(petId) ?? []) : stockLeft(run, petId),
  )
  const last = { startMs: 1_000, endMs: 1_000, orders, stocks }
  return checkOrders(history, last, { services: 2, faults: 1, ...wanted })
}

/** Fails unless a run has exactly these violations. */
export function expectViolation(run: Run, violation: RegExp): void {
  const { verdict, reasons } = check(run)
  assert.equal(verdict, 'violated')
  assert.equal(reasons.length, 1, reasons.join('\n'))
  assert.match(reasons[0] as string, violation)
}

export function expectPassed(run: Run): void {
  requirePassed(check(run))
}

function stockLeft({ history, orders }: Run, petId: number): SeenStock {
  const quantityIn = (...statuses: string[]) =>
    orders
      .filter((one) => one.petId === petId && statuses.includes(one.status))
      .reduce((sum, { quantity }) => sum + quantity, 0)
  const quantity = (history.stockOf.get(petId) ?? 0) - quantityIn('delivered')
  const reserved = quantityIn('pending', 'shipped')
  const status = quantity > reserved ? 'available' : reserved > 0 ? 'pending' : 'sold'
  return { petId, quantity, status, reserved }
}
