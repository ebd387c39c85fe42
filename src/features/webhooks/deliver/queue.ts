import { setTimeout as pause } from 'node:timers/promises'
import {
  type Actor,
  type Context,
  type EventReader,
  type LogEvent,
  timeOfDay,
} from '../../../context/context.ts'
import type { DeliveryAttempt } from '../contract/deliveries.ts'
import type { Work } from './leases/queries.ts'
import {
  type Due,
  insertDeliveries,
  type NewDelivery,
  type Result,
  selectDue,
  updateDeliveries,
} from './queries.ts'
import { lostResult, resultOf } from './result-of.ts'
import { failingMaxMs } from './schedule.ts'
import type { createSender } from './send-attempt.ts'
import { signedHeaders } from './sign.ts'

/** Requests in flight to one webhook: at first, at most, and while it fails. */
const inFlightFirst = 4
const inFlightMax = 32
const inFlightFailing = 2
/** Nothing is read or sent for so long after each failure, and for at most so long after several: a dead receiver costs little. */
const restMs = 250
const restMaxMs = 1_000
/** Deliveries that are read at once, and the most that wait in memory for an attempt or for their result to be stored. */
const pageSize = 200
const claimedMax = 1_000
/** Events that become deliveries in one write, about. */
const storedAtOnce = 1_000
/** How often the position is stored where it has passed only events that are not sent. */
const storeEveryMs = 2_000
/** Results of so long are stored together. */
const lingerMs = 10
const retryMs = 1_000

export type QueueOptions = Pick<Context, 'db' | 'clock' | 'random' | 'eventTypes'> & {
  actorOf(keyId: bigint): Actor | undefined
  reader: EventReader
  sender: ReturnType<typeof createSender>
  /** Whether the lease is certainly held: nothing is sent without it. */
  isHeld(): boolean
  report(sentence: string, error?: unknown): void
  /** Called with what came of each attempt. */
  attempted?: ((status: Result['status']) => void) | undefined
}

type Sent = Pick<LogEvent, 'id' | 'text' | 'traceparent'>

/** Sends for one webhook while this process holds it. */
export class Queue {
  work: Work
  /** Whether another process holds the webhook, or its position was moved: nothing of this queue counts any more. */
  isLost = false
  inFlight = 0
  readonly #options: QueueOptions
  /** Of the log: up to where events have become deliveries, and up to where that is stored. */
  #position: bigint
  #stored: bigint
  #storedMs = performance.now()
  /** Deliveries that wait for an attempt; and all that are in memory. */
  #due: Due[] = []
  #claimed = new Set<bigint>()
  /** Those that have left the memory since the last read began, which may not know. */
  #released = new Set<bigint>()
  /** Whether more deliveries may be due than are in memory. */
  #hasMore = true
  #limit: number
  #restUntilMs = 0
  #advancing = false
  #results: Result[] = []
  #flushing: Promise<void> | undefined

  constructor(work: Work, options: QueueOptions) {
    this.work = work
    this.#options = options
    this.#position = work.position
    this.#stored = work.position
    this.#limit = work.failingSince !== undefined ? inFlightFailing : inFlightFirst
  }

  /** What the database says now. */
  update(work: Work) {
    this.work = work
    this.#hasMore ||= work.dueAt !== undefined && work.dueAt <= this.#options.clock()
  }

  /** Takes what has been added to the log, and sends what is due. A call while it does so changes nothing. */
  async advance(): Promise<void> {
    if (this.#advancing || this.isLost) return
    this.#advancing = true
    try {
      if (!this.#isResting()) await Promise.all([this.#readLog(), this.#readDue()])
      this.#send()
    } finally {
      this.#advancing = false
    }
  }

  /** Resolves once all results are stored, or could not be. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing
  }

  async #readLog() {
    const { reader } = this.#options
    const wanted: NewDelivery[] = []
    let position = this.#position
    while (reader.hasAfter(position) && wanted.length < storedAtOnce) {
      const before = position
      const { events, position: end, isGap } = await reader.after(before)
      if (isGap) wanted.push({ id: end, type: 'events.lost', lost: this.#lostBetween(before, end) })
      for (const event of events)
        if (this.#wants(event)) wanted.push({ id: event.id, type: event.type })
      position = end
      if (position === before) break
    }
    const isOld = performance.now() - this.#storedMs > storeEveryMs
    if (wanted.length > 0 || (position !== this.#stored && isOld))
      await this.#store(wanted, position)
    // Only now: what could not be stored is read again.
    this.#position = position
  }

  #lostBetween(after: bigint, end: bigint): DeliveryAttempt {
    const error = `The events after ${after} up to ${end} were deleted before they could be sent.`
    this.#options.attempted?.('lost')
    this.#options.report(`Webhook ${this.work.id} has lost events. ${error}`)
    return { attemptedAt: new Date(this.#options.clock()).toISOString(), durationMs: 0, error }
  }

  async #store(events: readonly NewDelivery[], to: bigint) {
    const { db, clock } = this.#options
    const { id: webhookId, fence } = this.work
    const queue = { webhookId, fence, from: this.#stored, to }
    const isStored = await db.write(insertDeliveries, { ...queue, now: clock(), events })
    if (!isStored) this.isLost = true
    this.#stored = to
    this.#storedMs = performance.now()
    this.#hasMore ||= events.length > 0
  }

  #wants({ type, recordId }: LogEvent): boolean {
    const { types, id } = this.work
    if (type === 'webhook.tested') return recordId === id
    return (types?.includes(type) ?? true) && this.#mayRead(type)
  }

  /** Whether the maker of the webhook may read such events now. */
  #mayRead(type: string): boolean {
    const scope = this.#options.eventTypes[type]?.scope
    const { createdBy } = this.work
    if (scope === undefined || createdBy === undefined) return scope !== undefined
    return this.#options.actorOf(createdBy)?.scopes.has(scope) ?? false
  }

  async #readDue() {
    const { db, clock } = this.#options
    const isFull = this.#claimed.size >= claimedMax || this.#due.length >= pageSize / 2
    if (!this.#hasMore || isFull || this.work.status === 'paused') return
    this.#hasMore = false
    this.#released.clear()
    const limit = this.#claimed.size + pageSize
    const found = await db.read(selectDue, { webhookId: this.work.id, now: clock(), limit })
    this.#hasMore ||= found.length === limit
    for (const due of found) {
      if (this.#claimed.has(due.id) || this.#released.has(due.id)) continue
      this.#claimed.add(due.id)
      this.#due.push(due)
    }
  }

  #send() {
    const { isHeld } = this.#options
    while (this.#due.length > 0 && this.inFlight < this.#limit) {
      if (this.isLost || this.work.status === 'paused' || this.#isResting() || !isHeld()) return
      const due = this.#due.shift() as Due
      this.inFlight += 1
      void this.#deliver(due).finally(() => {
        this.inFlight -= 1
        if (this.#due.length < pageSize / 2 && this.#hasMore) this.#advanceOn()
        else this.#send()
      })
    }
  }

  #isResting(): boolean {
    return performance.now() < this.#restUntilMs
  }

  #advanceOn() {
    this.advance().catch((error) => this.#options.report('Webhooks could not be read.', error))
    this.#send()
  }

  async #deliver(due: Due) {
    try {
      const result = await this.#attempt(due)
      if (!result) return this.#release(due)
      this.#options.attempted?.(result.status)
      this.#results.push(result)
      this.#flushing ??= this.#flushResults().finally(() => {
        this.#flushing = undefined
      })
    } catch (error) {
      // It stays due.
      this.#release(due)
      this.#options.report('An attempt of a webhook could not be made.', error)
    }
  }

  #release({ id }: { id: bigint }) {
    this.#claimed.delete(id)
    this.#released.add(id)
  }

  /** Makes an attempt; undefined where the service stopped it. */
  async #attempt(due: Due): Promise<Result | undefined> {
    const { eventId: id, eventType } = due
    const { reader, clock, random } = this.#options
    const { url } = this.work
    const event = await reader.find(id)
    if (!event) return lostResult(due)
    const startMs = clock()
    const isReadable = eventType === 'webhook.tested' || this.#mayRead(eventType)
    const outcome = isReadable ? await this.#request({ id, ...event }, startMs) : unreadable
    if ('isStopped' in outcome) return undefined
    const result = resultOf(due, outcome, {
      ...{ startMs, endMs: clock(), fraction: (random(1)[0] ?? 0) / 255, isReadable },
      isSameAddress: url === this.work.url,
    })
    const hasSucceeded = result.status === 'succeeded'
    this.#limit = hasSucceeded ? Math.min(inFlightMax, this.#limit + 1) : inFlightFailing
    const nowMs = performance.now()
    if (!hasSucceeded)
      this.#restUntilMs = Math.min(Math.max(this.#restUntilMs, nowMs) + restMs, nowMs + restMaxMs)
    return result
  }

  #request({ id, text, traceparent }: Sent, startMs: number) {
    const { url, secret, previous } = this.work
    const body = Buffer.from(text)
    const secrets = previous && previous.endsAt > startMs ? [secret, previous.secret] : [secret]
    const headers = {
      ...signedHeaders(secrets, { id: String(id), body }, timeOfDay()),
      ...(traceparent !== undefined && { traceparent }),
    }
    return this.#options.sender.send({ url, headers, body })
  }

  async #flushResults() {
    const { db, clock, report } = this.#options
    await pause(lingerMs)
    while (this.#results.length > 0 && !this.isLost) {
      const { id: webhookId, fence, failingSince = Number.POSITIVE_INFINITY } = this.work
      const results = this.#results
      this.#results = []
      const now = clock()
      const mayDisable = now - failingSince >= failingMaxMs || results.some(({ isGone }) => isGone)
      try {
        const queue = { webhookId, fence, now }
        const isStored = await db.write(updateDeliveries, { ...queue, results, mayDisable })
        if (!isStored) this.isLost = true
        for (const result of results) this.#release(result)
        await pause(lingerMs)
      } catch (error) {
        report('Results of webhooks could not be stored.', error)
        this.#results.unshift(...results)
        await pause(retryMs)
      }
    }
  }
}

const unreadable = {
  durationMs: 0,
  error: 'The key that made this webhook may not read the event.',
}
