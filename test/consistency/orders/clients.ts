import type http from 'node:http'
import { type Answer, anomalies, outcomeOf, request, type Targets } from '../creates/clients.ts'
import type { Attempt, Move, OrdersHistory, Sale } from './history.ts'

/** Which service gets the requests, and on which connections. */
type Asked = { service: number; agent?: http.Agent | undefined }

/** Sends one request for an order, and records the outcome. Never throws. */
export async function place(
  targets: Targets,
  history: OrdersHistory,
  sale: Sale,
  asked: Asked,
): Promise<Attempt> {
  const { petId, quantity, reference, isRepeatable } = sale
  return send(targets, history, sale.attempts, {
    ...asked,
    path: '/store/orders',
    body: JSON.stringify({ petId, quantity, reference }),
    key: isRepeatable ? reference : undefined,
    success: 201,
  })
}

const wordOf = { shipped: 'ship', delivered: 'deliver' } as const

/** Sends one request to move an order, and records the outcome. Never throws. */
export async function moveOn(
  targets: Targets,
  history: OrdersHistory,
  { orderId, target, key, attempts }: Move,
  asked: Asked,
): Promise<Attempt> {
  const path = `/store/orders/${orderId}`
  return target === 'cancelled'
    ? send(targets, history, attempts, { ...asked, path, method: 'DELETE', success: 204 })
    : send(targets, history, attempts, {
        ...asked,
        path: `${path}/${wordOf[target]}`,
        method: 'POST',
        key,
        success: 200,
      })
}

type Call = Asked & {
  path: string
  method?: string
  body?: string
  key?: string | undefined
  success: number
}

async function send(
  targets: Targets,
  history: OrdersHistory,
  attempts: Attempt[],
  { service, agent, path, method = 'POST', body, key, success }: Call,
): Promise<Attempt> {
  const startMs = performance.now()
  const attempt: Attempt = { service, startMs, endMs: Number.POSITIVE_INFINITY, outcome: 'unknown' }
  attempts.push(attempt)
  const answer = await request(`${targets.baseUrls[service]}${path}`, {
    key: targets.key,
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
    if (targets.isBalanced && method === 'DELETE') attempt.outcome = 'unknown'
  }
  return attempt
}

function noteOrder(attempt: Attempt, { text }: Answer): void {
  if (text !== '') attempt.orderId = JSON.parse(text).id
}
