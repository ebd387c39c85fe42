import type { Context } from '../../../context/context.ts'
import { oneByOne, type Tx } from '../../../db/db.ts'
import type { Job } from '../../../db/storage.ts'
import { findOutbox, moveOutbox, nextEvents } from '../../events/outbox/outbox.ts'
import { type Authority, authorityOf, mayRead } from '../authority.ts'
import { insertDeliveries } from '../deliveries/queries.ts'
import { noteMissed, type StoredWebhook, selectEnabled } from '../queries.ts'
import { findReplay, moveReplay, selectIsBehind } from './queries.ts'

/** The most events that one transaction takes, and the most deliveries that it makes of them, about. */
const eventsMax = 500
const deliveriesMax = 2_500
/** How often the log is asked for events. */
const intervalMs = 50

/** Makes deliveries of the events that were added to the log, one for each webhook that wants one. */
export function createFanOut(context: Pick<Context, 'clock' | 'scopes' | 'eventTypes'>): Job {
  return {
    name: 'fanOutEvents',
    intervalMs,
    isBackground: true,
    async runStep(db) {
      if (!(await db.read(selectIsBehind, undefined))) return false
      return db.write(fanOutEvents, authorityOf(context))
    },
  }
}

/**
 * The next events of the outbox and of a replay become deliveries, and its position moves, in one transaction: none is lost
 * and none is made twice. Returns whether more are left. While another process does this, it does nothing.
 */
export const fanOutEvents = oneByOne<Authority, boolean>({
  name: 'fanOutEvents',
  async run(tx, authority) {
    const outbox = await findOutbox(tx, tx.forUpdateOfFree)
    if (outbox?.fannedOutTo === undefined) return false
    const enabled = await selectEnabled(tx)
    // Without enabled webhooks, or in a copy that nobody has resumed, events become no deliveries.
    if (!enabled[0]?.isResumed) {
      const ids = enabled.map(({ id }) => id)
      await noteMissed(tx, ids)
      await moveOutbox(tx, undefined)
      return false
    }
    const { fannedOutTo: after, newest: until } = outbox
    const to = await fanOut(tx, { after, until }, enabled, authority)
    if (to > after) await moveOutbox(tx, to)
    const replay = await findReplay(tx)
    if (!replay) return to < until
    const { webhookId, position, end } = replay
    const replayed = enabled.filter(({ id }) => id === webhookId)
    const range = { after: position > outbox.oldest ? position : outbox.oldest, until: end }
    const earlier = replayed.map((webhook) => ({ ...webhook, startsAfter: 0n }))
    await moveReplay(tx, replay, await fanOut(tx, range, earlier, authority))
    return true
  },
})

type Range = { after: bigint; until: bigint }

/** Returns the position up to which the events of the range have become deliveries. */
async function fanOut(
  tx: Tx,
  { after, until }: Range,
  webhooks: readonly StoredWebhook[],
  authority: Authority,
): Promise<bigint> {
  if (after >= until || webhooks.length === 0) return until
  const limit = Math.min(eventsMax, Math.ceil(deliveriesMax / webhooks.length))
  const { events, position } = await nextEvents(tx, { after, until, limit })
  const rows = webhooks.flatMap((webhook) => {
    const { id, types } = webhook
    const isReadable = mayRead(webhook, authority)
    return events
      .filter((event) => {
        const isOwn = event.recordId === id
        if (event.id <= webhook.startsAfter) return false
        if (event.type === 'webhook.tested') return isOwn
        if (event.type === 'webhook.created' && isOwn) return false
        return (types?.includes(event.type) ?? true) && isReadable(event.type)
      })
      .map((event) => ({ webhookId: id, eventId: event.id, eventType: event.type }))
  })
  await insertDeliveries(tx, rows, authority.now)
  return position
}
