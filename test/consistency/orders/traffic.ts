import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { repeatRefused, repeatWhile } from '../../harness/repeat.ts'
import type { SeededRandom } from '../../harness/seeded-random.ts'
import { create, request } from '../creates/clients.ts'
import { moveOn, place } from './clients.ts'
import type { Attempt, Move, Sale, Shop } from './history.ts'

/** A pause when the service is down or cannot store, so that clients do not spin. */
const failedDelayMs = 10
/** A request with a key is repeated this often while its outcome is unknown. */
const repetitionsMax = 3

/** Puts pets up for sale with this stock each, and returns their ids. */
export async function stockPets(shop: Shop, stocks: readonly number[]): Promise<number[]> {
  const { baseUrls, key, history } = shop
  const petIds: number[] = []
  for (const stock of stocks) {
    const petId = await repeatWhile(
      () => create({ ...shop, history: history.pets }, { service: 0 }, { status: 'available' }),
      (id) => id === undefined && history.pets.anomalies.length === 0,
    )
    if (petId === undefined) throw new Error(`no pet was created: ${history.pets.anomalies}`)
    const url = `${baseUrls[0]}/inventory/${petId}`
    const body = JSON.stringify({ quantity: stock })
    const counted = await repeatRefused(() => request(url, { key, method: 'PATCH', body }))
    if (counted.status !== 200) throw new Error(`${url}: ${counted.text}`)
    history.stockOf.set(petId, stock)
    petIds.push(petId)
  }
  return petIds
}

/** This many clients order one of each pet at the same time, from all services in turn, some with a key. */
export async function fight(
  shop: Shop,
  { petIds, clients }: { petIds: readonly number[]; clients: number },
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  const fighter = async (number: number) => {
    const via = { service: number % shop.baseUrls.length, agent }
    const wants = petIds.map((petId) =>
      shop.history.startSale({ petId, quantity: 1, isRepeatable: number % 4 < 2 }),
    )
    for (const sale of wants) {
      // With so many waiting for one pet on a slow machine, some are told to send the request again.
      while ((await place(shop, sale, via)).code === 'unavailable') await sleep(failedDelayMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => fighter(number)))
  agent.destroy()
}

/** The moves of orders, a different one for each in turn. */
const fates: readonly (readonly Move['target'][])[] = [
  [],
  ['cancelled'],
  ['shipped'],
  ['shipped', 'delivered'],
]

/**
 * Cancels, ships and delivers orders in turn, and leaves some as they are. Throws unless all moves are acknowledged.
 */
export async function settleOrders(shop: Shop): Promise<void> {
  const { history } = shop
  const orderIds = history.attempts().flatMap(({ orderId }) => orderId ?? [])
  for (const [index, orderId] of orderIds.entries()) {
    const service = index % shop.baseUrls.length
    for (const target of fates[index % fates.length] ?? []) {
      const move = history.startMove({ orderId, target, key: undefined })
      const { outcome, code } = await repeatWhile(
        () => moveOn(shop, move, { service }),
        (attempt) => attempt.code === 'unavailable',
      )
      if (outcome !== 'acknowledged') throw new Error(`order ${orderId} was not ${target}: ${code}`)
    }
  }
}

type Load = {
  petIds: readonly number[]
  clients: number
  random: SeededRandom
  signal: AbortSignal
}

/** Orders these pets, soon cancels most of the orders, ships and delivers some, until the signal. */
export async function sendOrders(
  shop: Shop,
  { petIds, clients, random, signal }: Load,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  const client = async (number: number) => {
    for (let n = number; !signal.aborted; n++) {
      const ask = { shop, agent, service: n % shop.baseUrls.length, signal }
      const petId = petIds[Math.floor(random.next() * petIds.length)] as number
      const quantity = 1 + Math.floor(random.next() ** 2 * 3)
      const sale = shop.history.startSale({ petId, quantity, isRepeatable: random.next() < 0.7 })
      const { outcome, orderId } = await buy(ask, sale)
      if (orderId !== undefined) await decide(ask, orderId, random)
      else if (outcome === 'unknown') await sleep(failedDelayMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  agent.destroy()
}

/** Sends once more what had a key and was first sent since then, and requires a final response to each. */
export async function repeatKeys(shop: Shop, sinceMs: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 })
  const via = { service: shop.baseUrls.length - 1, agent }
  const { sales, moves } = shop.history
  const isNew = ({ attempts }: Sale | Move) => (attempts[0]?.startMs ?? 0) >= sinceMs
  const isAgain = (attempt: Attempt) => isOpen(attempt) || attempt.code === 'unavailable'
  const again = [
    ...[...sales.values()]
      .filter((sale) => sale.isRepeatable && isNew(sale))
      .map((sale) => repeatWhile(() => place(shop, sale, via), isAgain)),
    ...moves
      .filter((move) => move.key !== undefined && isNew(move))
      .map((move) => repeatWhile(() => moveOn(shop, move, via), isAgain)),
  ]
  const open = (await Promise.all(again)).filter(isAgain)
  agent.destroy()
  if (open.length > 0) throw new Error(`${open.length} repeated requests were not answered`)
}

/** The outcome is unknown, or an equal request is still running. */
function isOpen({ outcome, code }: Attempt): boolean {
  return outcome === 'unknown' || code === 'idempotency_key_in_use'
}

type Ask = { shop: Shop; agent: http.Agent; service: number; signal: AbortSignal }

function buy(ask: Ask, sale: Sale): Promise<Attempt> {
  const send = (service: number) => place(ask.shop, sale, { service, agent: ask.agent })
  return sale.isRepeatable ? untilKnown(ask, send) : send(ask.service)
}

/** The moves of an order; sometimes two clients move it differently at the same time. */
async function decide(ask: Ask, orderId: number, random: SeededRandom): Promise<void> {
  const chance = random.next()
  const wanted: Move['target'][] = chance < 0.94 ? ['cancelled'] : []
  if (chance > 0.9 && chance < 0.98) wanted.push('shipped')
  await Promise.all(wanted.map((target) => want(ask, orderId, target)))
  if (wanted.includes('shipped') && random.next() < 0.5) await want(ask, orderId, 'delivered')
}

async function want(ask: Ask, orderId: number, target: Move['target']): Promise<void> {
  const key = target === 'cancelled' ? undefined : `${target} ${orderId}`
  const move = ask.shop.history.startMove({ orderId, target, key })
  await untilKnown(ask, (service) => moveOn(ask.shop, move, { service, agent: ask.agent }))
}

/** Sends a request again, to the next service, when there was no response or an equal request was still running. */
async function untilKnown(
  { shop, service, signal }: Ask,
  send: (service: number) => Promise<Attempt>,
): Promise<Attempt> {
  let attempt = await send(service)
  for (let again = 1; again <= repetitionsMax && !signal.aborted; again++) {
    if (!isOpen(attempt)) break
    await sleep(failedDelayMs)
    attempt = await send((service + again) % shop.baseUrls.length)
  }
  return attempt
}
