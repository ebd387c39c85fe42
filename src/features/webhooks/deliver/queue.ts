import {
  type Actor,
  type Context,
  type EventReader,
  type LogEvent,
  timeOfDay,
} from '../../../context/context.ts'
import { performance } from '../../../timers.ts'
import type { Delivery } from '../contract/deliveries.ts'
import type { Work } from './leases/queries.ts'
import { type NewDelivery, selectDue, storeProgress } from './queries.ts'
import { lostResult, type Result, resultOf, unreadable } from './result-of.ts'
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
  actorOf(keyId: bigint): Promise<Actor | undefined>
  reader: EventReader
  sender: ReturnType<typeof createSender>
  /** Whether the lease is certainly held: nothing is sent without it. */
  isHeld(): boolean
  report(sentence: string, error?: unknown): void
  /** Called with what came of each attempt. */
  attempted?: ((status: Result['status']) => void) | undefined
}

/** What was added to the log: the events to send, and the position behind them. */
type Added = { events: readonly NewDelivery[]; position: bigint }

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

  /** Stores results and what has been added to the log, and sends what is due. A call meanwhile joins. */
  advance(): Promise<void> {
    this.#turn ??= this.#takeTurn()
      .catch(this.#report)
      .finally(() => {
        this.#turn = undefined
      })
    return this.#turn
  }

  // One after the other: a read that began before a result was stored would find its delivery due.
  async #takeTurn() {
    const added = this.#isActive() ? await this.#readLog().catch(this.#report) : undefined
    const isStored = added && (await this.#store(added).then(() => true, this.#report))
    // Results do not wait for events that cannot be read or stored.
    if (!isStored) await this.#store({ events: [], position: this.#position })
    if (this.#isActive()) await this.#readDue()
    this.#send()
  }

  #report = (error: unknown): undefined => {
    this.#options.report('Webhooks could not be read or stored.', error)
  }

  /** Resolves once all results are stored, or could not be. */
  async flush(): Promise<void> {
    await this.#turn
    await this.advance()
  }

  #isActive(): boolean {
    return !this.isLost && performance.now() >= this.#restUntilMs && this.#options.isHeld()
  }

  #isPaused(): boolean {
    return this.work.record.status === 'paused'
  }

  /** The next events that are to be sent, and the position behind them. */
  async #readLog(): Promise<Added> {
    const { reader } = this.#options
    const events: NewDelivery[] = []
    let position = this.#position
    while (reader.hasAfter(position) && events.length < storedAtOnce) {
      const before = position
      const found = await reader.after(before)
      position = found.position
      if (found.isGap) events.push(this.#lostBetween(before, position))
      const isReadable = await this.#readable()
      for (const event of found.events)
        if (this.#wants(event, isReadable)) events.push({ id: event.id, type: event.type })
      if (position === before) break
    }
    return { events, position }
  }

  #lostBetween(after: bigint, end: bigint): NewDelivery {
    const error = `The events after ${after} up to ${end} were deleted before they could be sent.`
    this.#options.attempted?.('lost')
    this.#options.report(`Webhook ${this.work.record.id} has lost events. ${error}`)
    const attemptedAt = new Date(this.#options.clock()).toISOString()
    return { id: end, type: 'events.lost', lost: { attemptedAt, durationMs: 0, error } }
  }

  #wants({ type, recordId }: LogEvent, isReadable: (type: string) => boolean): boolean {
    const { types, id } = this.work.record
    if (type === 'webhook.tested') return recordId === id
    if (type === 'webhook.created' && recordId === id) return false
    return (types?.includes(type) ?? true) && isReadable(type)
  }

  /** Which types of events the maker of the webhook may read now. */
  async #readable(): Promise<(type: string) => boolean> {
    const { eventTypes, actorOf } = this.#options
    const { createdBy } = this.work.record
    const maker = createdBy === undefined ? undefined : await actorOf(createdBy)
    return (type) => {
      const scope = eventTypes[type]?.scope
      return scope !== undefined && (createdBy === undefined || maker?.scopes.has(scope) === true)
    }
  }

  async #store({ events, position: to }: Added) {
    const { db, clock } = this.#options
    const { fence, record } = this.work
    const results = [...this.#results]
    const isOld = performance.now() - this.#storedMs > storeEveryMs
    if (events.length > 0 || results.length > 0 || (to !== this.#stored && isOld)) {
      const queue = { webhookId: record.id, fence, from: this.#stored, to }
      const progress = { ...queue, now: clock(), events, results }
      if (!(await db.write(storeProgress, progress))) this.isLost = true
      this.#stored = to
      this.#storedMs = performance.now()
      this.#hasMore ||= events.length > 0
      this.#results.splice(0, results.length)
      for (const { id } of results) this.#claimed.delete(id)
    }
    // Only now: what could not be stored is read again.
    this.#position = to
  }

  async #readDue() {
    const { db, clock } = this.#options
    const isFull = this.#claimed.size >= claimedMax || this.#due.length >= pageSize / 2
    if (!this.#hasMore || isFull || this.#isPaused()) return
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
    while (this.inFlight < this.#limit && this.#isActive() && !this.#isPaused()) {
      const due = this.#due.shift()
      if (!due) return
      this.inFlight += 1
      void this.#deliver(due).finally(() => {
        this.inFlight -= 1
        if (this.#due.length < pageSize / 2 && this.#hasMore) void this.advance()
        this.#send()
      })
    }
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
    const isReadable = eventType === 'webhook.tested' || (await this.#readable())(eventType)
    const outcome = isReadable ? await this.#request({ id, ...event }, startMs) : unreadable
    if ('isStopped' in outcome) return undefined
    const result = resultOf(due, outcome, {
      ...{ startMs, endMs: clock(), fraction: (random(1)[0] ?? 0) / 255 },
      isSameAddress: url === this.work.record.url,
    })
    this.#adapt(result.status === 'succeeded')
    return result
  }

  #request(
    { id, text, traceparent }: Pick<LogEvent, 'id' | 'text' | 'traceparent'>,
    nowMs: number,
  ) {
    const { record, secret, previousSecret } = this.work
    const { url, previousSecretEndsAt = '' } = record
    const body = Buffer.from(text)
    const isReplaced = previousSecret && Date.parse(previousSecretEndsAt) > nowMs
    const secrets = isReplaced ? [secret, previousSecret] : [secret]
    const headers = {
      ...signedHeaders(secrets, { id: String(id), body }, timeOfDay()),
      ...(traceparent !== undefined && { traceparent }),
    }
    return this.#options.sender.send({ url, headers, body })
  }

  /** More at once while attempts succeed; little of a receiver that fails. */
  #adapt(hasSucceeded: boolean) {
    this.#limit = hasSucceeded ? Math.min(inFlightMax, this.#limit + 1) : inFlightFailing
    if (hasSucceeded) return
    const nowMs = performance.now()
    this.#restUntilMs = Math.min(Math.max(this.#restUntilMs, nowMs) + restMs, nowMs + restMaxMs)
  }
}
