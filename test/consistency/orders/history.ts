import type { Targets } from '../creates/clients.ts'
import { History } from '../creates/history.ts'
import { type AskedChange, outcomeOfAll } from '../events.ts'

/** One request, by the clock of the clients. `refused`: no effect. `unknown`: an effect or none. */
export type Attempt = {
  service: number
  startMs: number
  /** Infinite while there is no response. */
  endMs: number
  outcome: 'acknowledged' | 'refused' | 'unknown'
  /** The error code of a response. */
  code?: string
  /** The id of the returned order. */
  orderId?: number
}

/** An order that a client wants, and all requests for it: several with an Idempotency-Key. */
export type Sale = {
  /** Unique, stored with the order, and also the Idempotency-Key. */
  reference: string
  petId: number
  quantity: number
  isRepeatable: boolean
  attempts: Attempt[]
}

/** A move of an order that a client wants, and all requests for it. */
export type Move = {
  orderId: number
  target: 'shipped' | 'delivered' | 'cancelled'
  key: string | undefined
  attempts: Attempt[]
}

/** An order as the store shows it. `dueMs` is the end of its hold, by the clock of the clients. */
export type SeenOrder = {
  id: number
  petId: number
  quantity: number
  status: string
  reference?: string
  dueMs?: number
}

/** What the store says of a pet; `reserved` is the lowest count of it that is accepted. */
export type SeenStock = { petId: number; quantity: number; status: string; reserved: number }

/** The whole store once no request is in progress. */
export type Last = {
  startMs: number
  endMs: number
  orders: readonly SeenOrder[]
  stocks: readonly SeenStock[]
}

/** The services of one database, and all that its clients have ordered and seen. */
export type Shop = Targets & { history: OrdersHistory }

export type Counts = { placed: number; refused: number; unknown: number }

let started = 0

/** All orders and moves of the clients of one database, with all responses, by one clock. */
export class OrdersHistory {
  /** What was sent and seen of the pets that are sold. */
  readonly pets: History
  /** The stock of each pet before the first order. */
  readonly stockOf = new Map<number, number>()
  readonly sales = new Map<string, Sale>()
  readonly moves: Move[] = []
  /** Responses that are wrong by themselves, in sentences. */
  readonly anomalies: string[] = []

  constructor(pets = new History()) {
    this.pets = pets
  }

  startSale(sale: Pick<Sale, 'petId' | 'quantity' | 'isRepeatable'>): Sale {
    started += 1
    const reference = `sale ${process.pid}-${started}`
    const noted = { ...sale, reference, attempts: [] }
    this.sales.set(reference, noted)
    return noted
  }

  startMove(move: Pick<Move, 'orderId' | 'target' | 'key'>): Move {
    const noted = { ...move, attempts: [] }
    this.moves.push(noted)
    return noted
  }

  /** Every request for an order. */
  attempts(): Attempt[] {
    return [...this.sales.values()].flatMap(({ attempts }) => attempts)
  }

  /** The events that there are to be, of pets too. */
  asked(): AskedChange[] {
    const moves = Map.groupBy(this.moves, ({ orderId, target }) => `order.${target} ${orderId}`)
    const outcomes = (attempts: readonly Attempt[]) => attempts.map(({ outcome }) => outcome)
    return [
      ...this.pets.asked(),
      ...[...this.sales.values()].map(({ reference, attempts }) => ({
        type: 'order.placed',
        subject: reference,
        outcome: outcomeOfAll(outcomes(attempts)),
      })),
      ...[...moves].map(([name, wanted]) => {
        const [type = '', subject = ''] = name.split(' ')
        const attempts = wanted.flatMap((move) => move.attempts)
        return { type, subject, outcome: outcomeOfAll(outcomes(attempts)) }
      }),
    ]
  }

  /** The number of placed sales, of refused sales, and of requests with an unknown outcome. */
  count(): Counts {
    const sales = [...this.sales.values()]
    const ended = (outcome: Attempt['outcome']) =>
      sales.filter(({ attempts }) => attempts.some((attempt) => attempt.outcome === outcome))
    const placed = new Set(ended('acknowledged'))
    return {
      placed: placed.size,
      refused: ended('refused').filter((sale) => !placed.has(sale)).length,
      unknown: this.attempts().filter(({ outcome }) => outcome === 'unknown').length,
    }
  }
}
