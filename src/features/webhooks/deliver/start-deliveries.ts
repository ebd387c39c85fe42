import type { Actor, Context, EventFeed } from '../../../context/context.ts'
import { withOrigin } from '../../../db/with-origin.ts'
import { performance, sleep } from '../../../timers.ts'
import { holdLeases, leaseMs, releaseLeases, selectWork } from './leases/queries.ts'
import { Queue, type QueueOptions } from './queue.ts'
import { createSender } from './send-attempt.ts'
import type { createTargets } from './targets.ts'

/** How often the log is looked at while there are webhooks; how often the webhooks are read, and while there are none. */
const turnMs = 50
const refreshMs = 250
const idleMs = 1_000
const renewMs = 2_000
/** How long a stop waits for attempts in progress; the next holder repeats the others. */
const stopMaxMs = 1_000

type DeliveriesOptions = Pick<QueueOptions, 'report' | 'attempted'> & {
  context: Pick<Context, 'db' | 'clock' | 'random' | 'eventTypes'> & {
    feed: EventFeed
    actorOf(keyId: bigint): Promise<Actor | undefined>
  }
  targets: ReturnType<typeof createTargets>
}

export type RunningDeliveries = ReturnType<typeof startDeliveries>

/**
 * Sends the webhooks of the store from now on, together with other processes that serve it: each webhook has one. `report`
 * is called with what an operator should know, unless it is what was told last.
 */
export function startDeliveries({ context, targets, report, attempted }: DeliveriesOptions) {
  const { clock, random, feed } = context
  const db = withOrigin(context.db, { type: 'job', name: 'deliverWebhooks' }, clock)
  const holder = Buffer.from(random(16)).toString('hex')
  const queues = new Map<bigint, Queue>()
  let sender: QueueOptions['sender'] | undefined
  /** Open while there are webhooks. */
  let reader: QueueOptions['reader'] | undefined
  const stopping = new AbortController()
  let pausing = new AbortController()
  let reported: string | undefined
  let heldUntilMs = Number.NEGATIVE_INFINITY
  let refreshedMs = Number.NEGATIVE_INFINITY

  const shared = {
    ...{ ...context, db, attempted },
    isHeld: () => performance.now() < heldUntilMs && !stopping.signal.aborted,
    report(sentence: string, error?: unknown) {
      const text = `${sentence} ${error}`
      if (text !== reported) report(sentence, error)
      reported = text
    },
  }

  /** Reads the webhooks, takes those that are free, and renews the leases of the others. */
  async function refresh() {
    const startMs = performance.now()
    // A change that is made meanwhile is read by the next turn.
    refreshedMs = startMs
    const all = await db.read(selectWork, undefined)
    const held = all.filter((work) => work.holder === holder)
    const mayTake = all.some((work) => work.holder === undefined)
    if (mayTake || (held.length > 0 && startMs - heldUntilMs > renewMs - leaseMs)) {
      await db.write(holdLeases, holder)
      heldUntilMs = startMs + leaseMs
      // Those that were taken are read in the next turn.
      if (mayTake) refreshedMs = Number.NEGATIVE_INFINITY
    }
    if (all.length > 0) reader ??= feed.open()
    else closeReader()
    for (const [id, queue] of queues) {
      const work = held.find(({ record }) => record.id === id)
      if (work?.fence === queue.work.fence && !queue.isLost) queue.update(work)
      else {
        queue.isLost = true
        queues.delete(id)
      }
    }
    for (const work of held) {
      const { id } = work.record
      if (!reader || queues.has(id)) continue
      sender ??= createSender(targets)
      queues.set(id, new Queue(work, { ...shared, reader, sender }))
    }
  }

  function closeReader() {
    reader?.close()
    reader = undefined
  }

  async function run() {
    while (!stopping.signal.aborted) {
      pausing = new AbortController()
      try {
        if (performance.now() - refreshedMs >= (reader ? refreshMs : idleMs)) await refresh()
        for (const queue of queues.values()) void queue.advance()
      } catch (error) {
        shared.report('Webhooks could not be read.', error)
      }
      const pauseMs = reader || refreshedMs < 0 ? turnMs : idleMs
      await sleep(pauseMs, undefined, { ref: false, signal: pausing.signal }).catch(() => {})
    }
  }

  async function storeResults() {
    await running
    await Promise.all([...queues.values()].map((queue) => queue.flush()))
    if (queues.size > 0) await db.write(releaseLeases, holder)
  }

  const running = run()
  return {
    /** Applies a change of the webhooks at once; changes of other processes apply within a second. */
    refresh() {
      refreshedMs = Number.NEGATIVE_INFINITY
      pausing.abort()
    },
    /** Resolves once nothing is sent any more and other processes may send, after about a second at most. */
    async stop() {
      stopping.abort()
      pausing.abort()
      const endMs = performance.now() + stopMaxMs
      const isSending = () => [...queues.values()].some(({ inFlight }) => inFlight > 0)
      while (isSending() && performance.now() < endMs) await sleep(10)
      sender?.close()
      await Promise.race([
        storeResults().catch(() => {}),
        sleep(stopMaxMs, undefined, { ref: false }),
      ])
      closeReader()
    },
  }
}
