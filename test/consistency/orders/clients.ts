import { type Answer, anomalies, outcomeOf, request, type Via } from '../creates/clients.ts'
import type { Attempt, Move, Sale, Shop } from './history.ts'

/** Sends one request for an order, and records the outcome. Never throws. */
export function place(shop: Shop, sale: Sale, via: Via): Promise<Attempt> {
  const { petId, quantity, reference, isRepeatable } = sale
  return send(shop, sale.attempts, {
    ...via,
    path: '/store/orders',
    body: JSON.stringify({ petId, quantity, reference }),
    key: isRepeatable ? reference : undefined,
    success: 201,
  })
}

const wordOf = { shipped: 'ship', delivered: 'deliver' } as const

/** Sends one request to move an order, and records the outcome. Never throws. */
export function moveOn(shop: Shop, move: Move, via: Via): Promise<Attempt> {
  const { orderId, target, key, attempts } = move
  const path = `/store/orders/${orderId}`
  return target === 'cancelled'
    ? send(shop, attempts, { ...via, path, method: 'DELETE', success: 204 })
    : send(shop, attempts, { ...via, path: `${path}/${wordOf[target]}`, key, success: 200 })
}

type Call = Via & {
  path: string
  method?: string
  body?: string
  key?: string | undefined
  success: number
}

async function send(
  { baseUrls, key: apiKey, isBalanced, history }: Shop,
  attempts: Attempt[],
  { service, agent, path, method = 'POST', body, key, success }: Call,
): Promise<Attempt> {
  const startMs = performance.now()
  const attempt: Attempt = { service, startMs, endMs: Number.POSITIVE_INFINITY, outcome: 'unknown' }
  attempts.push(attempt)
  const answer = await request(`${baseUrls[service]}${path}`, {
    key: apiKey,
    agent,
    method,
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  }).catch(() => undefined)
  attempt.endMs = performance.now()
  if (!answer) return attempt
  attempt.outcome = outcomeOf(answer, success)
  history.anomalies.push(...anomalies(answer, [success, 409, 503]))
  if (attempt.outcome === 'acknowledged') noteOrder(attempt, answer)
  if (attempt.outcome === 'refused') {
    history.pets.log.noteRefused(answer)
    attempt.code = JSON.parse(answer.text).code
    // The balancer may have sent it before, to a service that died.
    if (isBalanced && method === 'DELETE') attempt.outcome = 'unknown'
  }
  return attempt
}

function noteOrder(attempt: Attempt, { text }: Answer): void {
  if (text !== '') attempt.orderId = JSON.parse(text).id
}
