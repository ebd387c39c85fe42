import {
  type Actor,
  type Context,
  type EventReader,
  type LogEvent,
  timeOfDay,
} from '../../../context/context.ts'
import type { Delivery, DeliveryAttempt } from '../contract/deliveries.ts'
import type { Work } from './leases/queries.ts'
import {
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
  /** Deliveries that wait for an attempt; and all whose results are not stored. */
  #due: Delivery[] = []
  #claimed = new Set<bigint>()
  /** Whether more deliveries may be due than are in memory. */
  #hasMore = true
  #limit: number
  #restUntilMs = 0
  #results: Result[] = []
  #turn: Promise<void> | undefined

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

  /** Stores results, takes what has been added to the log, and sends what is due. A call meanwhile joins. */
  advance(): Promise<void> {
    this.#turn ??= this.#takeTurn()
      .catch((error) => this.#options.report('Webhooks could not be read or stored.', error))
      .finally(() => {
        this.#turn = undefined
      })
    return this.#turn
  }

  // One after the other: a read that began before a result was stored would find its delivery due.
  async #takeTurn() {
    if (this.#results.length > 0) await this.#storeResults()
    if (this.#mayRead()) await this.#readLog()
    if (this.#mayRead()) await this.#readDue()
    this.#send()
  }

  /** Resolves once all results are stored, or could not be. */
  async flush(): Promise<void> {
    await this.#turn
    await this.advance()
  }

  #mayRead(): boolean {
    return !this.isLost && !this.#isResting() && this.#options.isHeld()
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
    this.#options.report(`Webhook ${this.work.record.id} has lost events. ${error}`)
    return { attemptedAt: new Date(this.#options.clock()).toISOString(), durationMs: 0, error }
  }

  async #store(events: readonly NewDelivery[], to: bigint) {
    const { db, clock } = this.#options
    const { fence, record } = this.work
    const queue = { webhookId: record.id, fence, from: this.#stored, to }
    const isStored = await db.write(insertDeliveries, { ...queue, now: clock(), events })
    if (!isStored) this.isLost = true
    this.#stored = to
    this.#storedMs = performance.now()
    this.#hasMore ||= events.length > 0
  }

  #wants({ type, recordId }: LogEvent): boolean {
    const { types, id } = this.work.record
    if (type === 'webhook.tested') return recordId === id
    return (types?.includes(type) ?? true) && this.#isReadable(type)
  }

  /** Whether the maker of the webhook may read such events now. */
  #isReadable(type: string): boolean {
    const scope = this.#options.eventTypes[type]?.scope
    const { createdBy } = this.work.record
    if (scope === undefined || createdBy === undefined) return scope !== undefined
    return this.#options.actorOf(createdBy)?.scopes.has(scope) ?? false
  }

  async #readDue() {
    const { db, clock } = this.#options
    const isFull = this.#claimed.size >= claimedMax || this.#due.length >= pageSize / 2
    if (!this.#hasMore || isFull || this.work.record.status === 'paused') return
    this.#hasMore = false
    const limit = this.#claimed.size + pageSize
    const found = await db.read(selectDue, { webhookId: this.work.record.id, now: clock(), limit })
    this.#hasMore ||= found.length === limit
    for (const due of found) {
      if (this.#claimed.has(due.id)) continue
      this.#claimed.add(due.id)
      this.#due.push(due)
    }
  }

  #send() {
    const { isHeld } = this.#options
    while (this.#due.length > 0 && this.inFlight < this.#limit) {
      if (this.isLost || this.work.record.status === 'paused' || this.#isResting() || !isHeld())
        return
      const due = this.#due.shift() as Delivery
      this.inFlight += 1
      void this.#deliver(due).finally(() => {
        this.inFlight -= 1
        if (this.#due.length < pageSize / 2 && this.#hasMore) void this.advance()
        this.#send()
      })
    }
  }

  #isResting(): boolean {
    return performance.now() < this.#restUntilMs
  }

  async #deliver(due: Delivery) {
    try {
      const result = await this.#attempt(due)
      if (result) {
        this.#options.attempted?.(result.status)
        this.#results.push(result)
      } else this.#claimed.delete(due.id)
    } catch (error) {
      // It stays due.
      this.#claimed.delete(due.id)
      this.#options.report('An attempt of a webhook could not be made.', error)
    }
  }

  /** Makes an attempt; undefined where the service stopped it. */
  async #attempt(due: Delivery): Promise<Result | undefined> {
    const { eventId: id, eventType } = due
    const { reader, clock, random } = this.#options
    const { url } = this.work.record
    const event = await reader.find(id)
    if (!event) return lostResult(due)
    const startMs = clock()
    const isReadable = eventType === 'webhook.tested' || this.#isReadable(eventType)
    const outcome = isReadable ? await this.#request({ id, ...event }, startMs) : unreadable
    if ('isStopped' in outcome) return undefined
    const result = resultOf(due, outcome, {
      ...{ startMs, endMs: clock(), fraction: (random(1)[0] ?? 0) / 255, isReadable },
      isSameAddress: url === this.work.record.url,
    })
    const hasSucceeded = result.status === 'succeeded'
    this.#limit = hasSucceeded ? Math.min(inFlightMax, this.#limit + 1) : inFlightFailing
    const nowMs = performance.now()
    if (!hasSucceeded)
      this.#restUntilMs = Math.min(Math.max(this.#restUntilMs, nowMs) + restMs, nowMs + restMaxMs)
    return result
  }

  #request({ id, text, traceparent }: Sent, startMs: number) {
    const { record, secret, previousSecret } = this.work
    const { url, previousSecretEndsAt = '' } = record
    const body = Buffer.from(text)
    const isReplaced = previousSecret && Date.parse(previousSecretEndsAt) > startMs
    const secrets = isReplaced ? [secret, previousSecret] : [secret]
    const headers = {
      ...signedHeaders(secrets, { id: String(id), body }, timeOfDay()),
      ...(traceparent !== undefined && { traceparent }),
    }
    return this.#options.sender.send({ url, headers, body })
  }

  async #storeResults() {
    const { db, clock } = this.#options
    const { record, fence, failingSince = '' } = this.work
    const results = [...this.#results]
    const now = clock()
    const mayDisable =
      now - Date.parse(failingSince) >= failingMaxMs || results.some(({ isGone }) => isGone)
    const queue = { webhookId: record.id, fence, now }
    const isStored = await db.write(updateDeliveries, { ...queue, results, mayDisable })
    if (!isStored) this.isLost = true
    this.#results.splice(0, results.length)
    for (const { id } of results) this.#claimed.delete(id)
  }
}

const unreadable = {
  durationMs: 0,
  error: 'The key that made this webhook may not read the event.',
}
