import { type Context, type EventFeed, timeOfDay } from '../../../context/context.ts'
import { type Authority, mayRead } from '../authority.ts'
import { type StoredWebhook, selectWebhook } from '../queries.ts'
import { type Result, resultOf, type Taken, unsendable } from './result-of.ts'
import type { createSender, Outcome } from './send-attempt.ts'
import { signedHeaders } from './sign.ts'

/** A delivery with its event, to a webhook as it was read just now. */
type Attempt = {
  taken: Taken
  event: Awaited<ReturnType<EventFeed['find']>>
  webhook: StoredWebhook | undefined
}

type AttemptContext = Pick<Context, 'db' | 'clock' | 'random'> &
  Pick<Authority, 'scopes' | 'scopeOf'> & { sender: ReturnType<typeof createSender> }

/**
 * Makes an attempt to deliver an event, by what the webhook and its maker say now. Undefined where nothing was sent: the
 * webhook is no longer enabled, or the service stops.
 */
export async function makeAttempt(
  { db, clock, random, scopes, scopeOf, sender }: AttemptContext,
  { taken, event, webhook }: Attempt,
): Promise<Result | undefined> {
  if (!webhook?.isResumed || webhook.status !== 'enabled') return undefined
  const { eventId, eventType } = taken
  const { id, url } = webhook
  const startMs = clock()
  const isReadable = mayRead(webhook, { now: startMs, scopes, scopeOf })
  async function attempt(secrets: readonly Uint8Array[]): Promise<Outcome> {
    if (!event) return unsendable.isDeleted
    if (eventType !== 'webhook.tested' && !isReadable(eventType)) return unsendable.isUnreadable
    const body = Buffer.from(event.text)
    const headers = {
      ...signedHeaders(secrets, { id: String(eventId), body }, timeOfDay()),
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    }
    return sender.send({ url, headers, body })
  }
  const outcome = await attempt(secretsAt(webhook, startMs))
  if ('isStopped' in outcome) return undefined
  const latest = outcome.responseStatus === 410 ? await db.read(selectWebhook, id) : webhook
  const times = { startMs, endMs: clock(), fraction: () => (random(1)[0] ?? 0) / 255 }
  return resultOf(taken, outcome, { ...times, isSameAddress: latest?.url === url })
}

/** Those that sign: for a day after a rotation also the replaced one. */
function secretsAt(webhook: StoredWebhook, nowMs: number) {
  const { secret, previousSecret, previousSecretEndsAt = '' } = webhook
  const endsMs = Date.parse(previousSecretEndsAt)
  return previousSecret && endsMs > nowMs ? [secret, previousSecret] : [secret]
}
