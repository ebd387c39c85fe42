import { type ServiceContext, timeOfDay } from '../context/context.ts'
import { parseJson } from '../contract/int64-json.ts'
import { ServiceError } from '../contract/service-error.ts'
import { listEvents } from '../features/events/list-events.ts'
import { createSender, type Outcome } from '../features/webhooks/deliver/send-attempt.ts'
import { signedHeaders } from '../features/webhooks/deliver/sign.ts'
import type { createTargets } from '../features/webhooks/deliver/targets.ts'
import { type StoredWebhook, selectWebhook } from '../features/webhooks/queries.ts'
import { performance, sleep } from '../timers.ts'
import { type Misdelivery, messagesOf } from './contract.ts'

/** A message as it was sent, and what became of it. */
type SentMessage = { eventId: number } & Outcome

/** Throws `not_found`, `invalid_body`. */
export type Misdeliver = (webhookId: bigint, request: Misdelivery) => Promise<SentMessage[]>

type StoredEvent = { id: bigint; text: string }

type Message = { url: string; headers: Record<string, string>; body: Buffer }

/** Older than receivers accept: Standard Webhooks suggests five minutes. */
const oldMs = 600_000
const inFlightMax = 50
const lateMs = 2_000

/** Sends events to a webhook at once and not as they should come, beside its deliveries. */
export function createMisdeliveries(
  context: ServiceContext,
  targets: ReturnType<typeof createTargets>,
): Misdeliver {
  const sender = createSender(targets)

  async function enabledWebhook(webhookId: bigint): Promise<StoredWebhook> {
    const found = await context.db.read(selectWebhook, webhookId)
    if (found?.status === 'enabled') return found
    throw new ServiceError('not_found', `There is no enabled webhook with the id ${webhookId}.`)
  }

  /** The newest events, or this one alone, oldest first; from the beginning again where there are fewer. */
  async function lastEvents(count: number, eventId?: bigint): Promise<StoredEvent[]> {
    const after = eventId && eventId + 1n
    const page = { limit: eventId ? 1 : count, sort: '-id', after } as const
    const { items } = await listEvents(context, { filter: {}, page, wantsTotal: false })
    const found = items.map((text) => ({ id: idIn(text), text })).reverse()
    if (!found.some(({ id }) => id === (eventId ?? id)))
      throw new ServiceError('invalid_body', 'There is no such event.')
    return Array.from({ length: count }, (_, index) => found[index % found.length] as StoredEvent)
  }

  return async (webhookId, { as, eventId, delayMs = lateMs }) => {
    const { secret, url } = await enabledWebhook(webhookId)
    const events = await lastEvents(as === 'twice' ? 1 : messagesOf[as], eventId)
    if (as === 'twice') events.push(...events)
    if (as === 'outOfOrder') events.reverse()
    if (as === 'late') await sleep(delayMs)
    const send = async ({ id, text }: StoredEvent): Promise<SentMessage> => {
      const body = Buffer.from(text)
      const secrets = [as === 'wrongSignature' ? context.random(secret.length) : secret]
      const atMs = timeOfDay() - (as === 'oldTimestamp' ? oldMs : 0)
      const headers = signedHeaders(secrets, { id: String(id), body }, atMs)
      const message = { url, headers, body }
      const outcome = as === 'cut' ? await sendPart(message) : await sender.send(message)
      return { eventId: Number(id), ...outcome }
    }
    const sent: SentMessage[] = []
    const atOnce = as === 'burst' ? inFlightMax : 1
    for (let at = 0; at < events.length; at += atOnce)
      sent.push(...(await Promise.all(events.slice(at, at + atOnce).map(send))))
    return sent
  }
}

function idIn(event: string): bigint {
  return BigInt((parseJson(event) as { id: number | bigint }).id)
}

/** Sends half of the body, and closes the connection. */
async function sendPart({ url, headers, body }: Message): Promise<Outcome> {
  const startMs = performance.now()
  const { promise, resolve } = Promise.withResolvers<void>()
  // As src/http/protocol/node-http.ts says.
  const { request } = process.getBuiltinModule(
    url.startsWith('https:') ? 'node:https' : 'node:http',
  )
  const length = { 'content-type': 'application/json', 'content-length': body.length }
  const sent = request(url, { method: 'POST', headers: { ...headers, ...length } })
  sent.on('error', () => resolve()).on('close', () => resolve())
  sent.write(body.subarray(0, body.length / 2), () => sent.destroy())
  await promise
  const durationMs = Math.round(performance.now() - startMs)
  return { durationMs, error: 'The connection was closed within the body.' }
}
