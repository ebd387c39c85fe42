import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '../../harness/seeded-random.ts'
import type { Targets } from '../creates/clients.ts'
import { requirePassed } from '../creates/history.ts'
import { checkOrders } from './check-run.ts'
import type { Attempt, Counts, OrdersHistory } from './history.ts'
import { lookAtEnd } from './last.ts'
import { isForStock } from './rules.ts'
import { fight, repeatKeys, sendOrders, settleOrders, stockPets } from './traffic.ts'

const fighters = 64
/** So many of each pet that a round fights for. */
const stocksOfFight = [1, 1, 5]
/** So many of each pet that a load orders and cancels. */
const stocksOfLoad = [1, 2, 5, 20]
const clients = 16

/**
 * Rounds of 64 clients against few pets; then what was won is cancelled, shipped, delivered, or left. Returns how the
 * fights ended. Throws unless all that was seen is judged to be sound.
 */
export async function runFights(
  targets: Targets,
  history: OrdersHistory,
  rounds: number,
): Promise<Counts & { stock: number }> {
  let stock = 0
  for (let round = 0; round < rounds; round++) {
    const petIds = await stockPets(targets, history, stocksOfFight)
    await fight(targets, history, { petIds, clients: fighters })
    stock += stocksOfFight.reduce((sum, one) => sum + one, 0)
  }
  const counts = history.count()
  await settleOrders(targets, history)
  await requireSound(targets, history)
  return { ...counts, stock }
}

type Meanwhile<T> = {
  petIds: readonly number[]
  random: SeededRandom
  disturb(): Promise<T>
}

/** Pets for a load of orders; returns their ids. */
export function stockForLoad(targets: Targets, history: OrdersHistory): Promise<number[]> {
  return stockPets(targets, history, stocksOfLoad)
}

/** Sends orders for these pets until the disturbance is over, and answers what that does. Nothing is judged yet. */
export async function orderMeanwhile<T>(
  targets: Targets,
  history: OrdersHistory,
  { petIds, random, disturb }: Meanwhile<T>,
): Promise<T> {
  const stopping = new AbortController()
  const { signal } = stopping
  const load = sendOrders(targets, history, { petIds, clients, random, signal })
  try {
    return await disturb()
  } finally {
    stopping.abort()
    await load
  }
}

type Demanded = {
  faults?: number
  /** Every service has placed or refused orders since. */
  sinceMs?: number
  /** What had a key, and was first sent since, is sent again. */
  repeatSinceMs?: number
}

/** Repeats all that had a key, looks at what there is, and throws unless it is judged to be sound. */
export async function requireSound(
  targets: Targets,
  history: OrdersHistory,
  { repeatSinceMs = 0, ...wanted }: Demanded = {},
): Promise<void> {
  await repeatKeys(targets, history, repeatSinceMs)
  const services = targets.baseUrls.length
  for (let service = 0; service < services; service++) {
    const last = await lookAtEnd(targets, history, service)
    requirePassed(checkOrders(history, last, { services, ...wanted }))
  }
}

/** Waits, 60 s at most, until each service has placed an order that it was asked for since, and any has refused one. */
export async function untilOrdered(
  { baseUrls }: Targets,
  history: OrdersHistory,
  sinceMs: number,
): Promise<void> {
  const giveUpMs = performance.now() + 60_000
  for (;;) {
    const attempts = history.attempts()
    const isNew = ({ outcome, startMs }: Attempt) => outcome === 'acknowledged' && startMs > sinceMs
    const ordered = new Set(attempts.filter(isNew).map(({ service }) => service))
    if (ordered.size === baseUrls.length && attempts.some(isForStock)) return
    if (performance.now() > giveUpMs) throw new Error(`only services ${[...ordered]} placed orders`)
    await sleep(5)
  }
}
