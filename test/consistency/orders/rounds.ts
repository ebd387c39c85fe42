import type { SeededRandom } from '../../harness/seeded-random.ts'
import { until } from '../../harness/until.ts'
import { readerOf } from '../creates/clients.ts'
import { requirePassed, type Wanted } from '../creates/history.ts'
import { requireEvents } from '../events.ts'
import { checkOrders } from './check-run.ts'
import type { Attempt, Counts, Shop } from './history.ts'
import { lookAtEnd } from './last.ts'
import { isForStock } from './rules.ts'
import { fight, repeatKeys, sendOrders, settleOrders, stockPets } from './traffic.ts'

const fighters = 64
/** The stock of each pet that the clients of a round compete for. */
const stocksOfFight = [1, 1, 5]
/** The stock of each pet that a load orders and cancels. */
const stocksOfLoad: readonly number[] = [1, 2, 5, 20]
const clients = 16

/**
 * Rounds in which 64 clients compete for few pets; the placed orders are then cancelled, shipped, delivered, or left.
 * Returns the results of the rounds. Throws unless the whole history passes the check.
 */
export async function runFights(shop: Shop, rounds: number): Promise<Counts & { stock: number }> {
  let stock = 0
  for (let round = 0; round < rounds; round++) {
    const petIds = await stockPets(shop, stocksOfFight)
    await fight(shop, { petIds, clients: fighters })
    stock += stocksOfFight.reduce((sum, one) => sum + one, 0)
  }
  const counts = shop.history.count()
  await settleOrders(shop)
  await requireSound(shop)
  return { ...counts, stock }
}

type Meanwhile<T> = {
  petIds: readonly number[]
  random: SeededRandom
  disturb(): Promise<T>
}

/** Puts up pets for a load of orders; returns their ids. */
export function stockForLoad(shop: Shop, stocks = stocksOfLoad): Promise<number[]> {
  return stockPets(shop, stocks)
}

/** Sends orders for these pets until the disturbance is over, and returns its result. Checks nothing yet. */
export async function orderMeanwhile<T>(
  shop: Shop,
  { petIds, random, disturb }: Meanwhile<T>,
): Promise<T> {
  const stopping = new AbortController()
  const { signal } = stopping
  const load = sendOrders(shop, { petIds, clients, random, signal })
  try {
    return await disturb()
  } finally {
    stopping.abort()
    await load
  }
}

/** The requests that had a key, and were first sent since `repeatSinceMs`, are sent again. */
type Soundness = Omit<Wanted, 'services'> & { repeatSinceMs?: number }

/**
 * Repeats all requests that had a key, reads the store, and throws unless the history passes the check, and the events are
 * those of the history and lead to what the lists return.
 */
export async function requireSound(
  shop: Shop,
  { repeatSinceMs = 0, ...wanted }: Soundness = {},
): Promise<void> {
  const { history } = shop
  await repeatKeys(shop, repeatSinceMs)
  const services = shop.baseUrls.length
  for (let service = 0; service < services; service++) {
    const last = await lookAtEnd(shop, service)
    requirePassed(checkOrders(history, last, { services, ...wanted }))
  }
  await requireEvents(readerOf(shop, services - 1), history.pets.log, history.asked())
}

/** Waits, for 60 s at most, until each service has placed an order first sent since, and any has refused one. */
export function untilOrdered({ baseUrls, history }: Shop, sinceMs: number): Promise<void> {
  const isNew = ({ outcome, startMs }: Attempt) => outcome === 'acknowledged' && startMs > sinceMs
  return until(() => {
    const attempts = history.attempts()
    const ordered = new Set(attempts.filter(isNew).map(({ service }) => service))
    return ordered.size === baseUrls.length && attempts.some(isForStock)
  }, 60_000)
}
