import { History } from '../creates/history.ts'

/** One request, by the clock of the clients. `refused` says that it did nothing; `unknown` that it did it or not. */
export type Attempt = {
  service: number
  startMs: number
  /** Infinite as long as no answer has come. */
  endMs: number
  outcome: 'acknowledged' | 'refused' | 'unknown'
  /** Of the error, where it was refused. */
  code?: string
  /** Of the order that was answered. */
  orderId?: number
}

/** An order that a client wants, and every request for it: more than one where they carry a key. */
export type Sale = {
  /** No other sale has it, and the order carries it. It is the key, too. */
  reference: string
  petId: number
  quantity: number
  isRepeatable: boolean
  attempts: Attempt[]
}

/** What a client wants to become of an order, and every request for it. */
export type Move = {
  orderId: number
  target: 'shipped' | 'delivered' | 'cancelled'
  key: string | undefined
  attempts: Attempt[]
}

/** An order as the store shows it; `dueMs` is when its hold ends, by the clock of the clients. */
export type SeenOrder = {
  id: number
  petId: number
  quantity: number
  status: string
  reference?: string
  dueMs?: number
}

/** What the store says of an animal; `reserved` is the lowest count of it that is accepted. */
export type SeenStock = { petId: number; quantity: number; status: string; reserved: number }

/** All that the store holds once nobody asks for anything. */
export type Last = {
  startMs: number
  endMs: number
  orders: readonly SeenOrder[]
  stocks: readonly SeenStock[]
}

export type Counts = { placed: number; refused: number; unknown: number }

let started = 0

/** All that clients of several services on one database have asked of the store and been told, by one clock. */
export class OrdersHistory {
  /** What was sent and seen of the animals that are sold. */
  readonly pets: History
  /** How many there are of each animal before the first order. */
  readonly stockOf = new Map<number, number>()
  readonly sales = new Map<string, Sale>()
  readonly moves: Move[] = []
  /** What no service may ever answer, in sentences. */
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

  /** How many sales came to an order, how many were told that they do not, and how many requests nobody knows of. */
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
