import { type Context, type EventFeed, timeOfDay } from '../../../context/context.ts'
import { mayRead } from '../authority.ts'
import { type StoredWebhook, selectWebhook } from '../queries.ts'
import { type Result, resultOf, type Taken, unsendable } from './result-of.ts'
import type { createSender, Outcome } from './send-attempt.ts'
import { signedHeaders } from './sign.ts'

export type AttemptContext = Pick<Context, 'db' | 'clock' | 'random' | 'eventTypes' | 'scopes'>

/**
 * Makes an attempt to deliver an event, by what the webhook and its maker say now. Undefined where nothing was sent: the
 * webhook is no longer enabled, or the service stops.
 */
export async function makeAttempt(
  context: AttemptContext,
  sender: ReturnType<typeof createSender>,
  { taken, event: reading }: { taken: Taken; event: ReturnType<EventFeed['find']> },
): Promise<Result | undefined> {
  const { db, clock, random, eventTypes, scopes } = context
  const { webhookId, eventId, eventType } = taken
  const [webhook, event] = await Promise.all([db.read(selectWebhook, webhookId), reading])
  if (!webhook?.isResumed || webhook.record.status !== 'enabled') return undefined
  const { url } = webhook.record
  const startMs = clock()
  async function attempt(sent: StoredWebhook): Promise<Outcome> {
    if (!event) return unsendable.isDeleted
    const scope = eventTypes[eventType]?.scope
    const isReadable = mayRead(sent, {
      now: startMs,
      scopes,
      scopeOf: scope ? { [eventType]: scope } : {},
    })
    if (eventType !== 'webhook.tested' && !isReadable(eventType)) return unsendable.isUnreadable
    const body = Buffer.from(event.text)
    const headers = {
      ...signedHeaders(secretsAt(sent, startMs), { id: String(eventId), body }, timeOfDay()),
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    }
    return sender.send({ url, headers, body })
  }
  const outcome = await attempt(webhook)
  if ('isStopped' in outcome) return undefined
  const isGone = outcome.responseStatus === 410
  const latest = isGone ? await db.read(selectWebhook, webhookId) : webhook
  const times = { startMs, endMs: clock(), fraction: () => (random(1)[0] ?? 0) / 255 }
  return resultOf(taken, outcome, { ...times, isSameAddress: latest?.record.url === url })
}

/** Those that sign: for a day after a rotation also the replaced one. */
function secretsAt({ record, secret, previousSecret }: StoredWebhook, nowMs: number) {
  const endsMs = Date.parse(record.previousSecretEndsAt ?? '')
  return previousSecret && endsMs > nowMs ? [secret, previousSecret] : [secret]
}
