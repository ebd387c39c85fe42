import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '../../harness/seeded-random.ts'
import { readerOf, type Targets } from '../creates/clients.ts'
import { requirePassed } from '../creates/history.ts'
import { requireEvents } from '../events.ts'
import { checkOrders } from './check-run.ts'
import type { Attempt, Counts, OrdersHistory } from './history.ts'
import { lookAtEnd } from './last.ts'
import { isForStock } from './rules.ts'
import { fight, repeatKeys, sendOrders, settleOrders, stockPets } from './traffic.ts'

const fighters = 64
/** The stock of each pet that the clients of a round compete for. */
const stocksOfFight = [1, 1, 5]
/** The stock of each pet that a load orders and cancels. */
const stocksOfLoad = [1, 2, 5, 20]
const clients = 16

/**
 * Rounds in which 64 clients compete for few pets; the placed orders are then cancelled, shipped, delivered, or left.
 * Returns the results of the rounds. Throws unless the whole history passes the check.
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

/** Puts up pets for a load of orders; returns their ids. */
export function stockForLoad(
  targets: Targets,
  history: OrdersHistory,
  stocks: readonly number[] = stocksOfLoad,
): Promise<number[]> {
  return stockPets(targets, history, stocks)
}

/** Sends orders for these pets until the disturbance is over, and returns its result. Checks nothing yet. */
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

type Wanted = {
  faults?: number
  /** Every service has placed or refused orders since. */
  sinceMs?: number
  /** The requests that had a key, and were first sent since then, are sent again. */
  repeatSinceMs?: number
}

/**
 * Repeats all requests that had a key, reads the store, and throws unless the history passes the check, and the events are
 * those of the history and lead to what the lists return.
 */
export async function requireSound(
  targets: Targets,
  history: OrdersHistory,
  { repeatSinceMs = 0, ...wanted }: Wanted = {},
): Promise<void> {
  await repeatKeys(targets, history, repeatSinceMs)
  const services = targets.baseUrls.length
  for (let service = 0; service < services; service++) {
    const last = await lookAtEnd(targets, history, service)
    requirePassed(checkOrders(history, last, { services, ...wanted }))
  }
  await requireEvents(readerOf(targets, services - 1), history.pets.log, history.asked())
}

/** Waits, for 60 s at most, until each service has placed an order first sent since, and any has refused one. */
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
