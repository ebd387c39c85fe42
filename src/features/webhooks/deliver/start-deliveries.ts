import { type EventFeed, timeOfDay } from '../../../context/context.ts'
import { withOrigin } from '../../../db/with-origin.ts'
import { performance, sleep } from '../../../timers.ts'
import { exchangeDeliveries } from './exchange-deliveries.ts'
import { type AttemptContext, makeAttempt } from './make-attempt.ts'
import { selectDue } from './queries.ts'
import { type Result, type Taken, unsentResult } from './result-of.ts'
import { createSender } from './send-attempt.ts'
import type { createTargets } from './targets.ts'

/** Requests in flight to one webhook, and while it fails. */
const inFlightMax = 8
const inFlightFailing = 2
/** A webhook that has failed rests for so long: a dead receiver costs little. */
const restMs = 500
/** Deliveries of one webhook that are taken at once, and for how long they may wait for their turn: half of a lease. */
const takenMax = 100
const waitMaxMs = 30_000
/** How often the database is asked what is due, and after it has failed. */
const turnMs = 100
const failedTurnMs = 1_000
/** How long a stop waits for attempts in progress; they are made again. */
const stopMaxMs = 1_000

type DeliveriesOptions = {
  context: AttemptContext & { feed: EventFeed }
  targets: ReturnType<typeof createTargets>
  /** Called with what an operator should know. */
  report(sentence: string, error: unknown): void
  /** Called with what came of each attempt. */
  attempted?: ((status: Result['status']) => void) | undefined
}

export type RunningDeliveries = ReturnType<typeof startDeliveries>

/** What this process sends to one webhook. */
type Line = {
  waiting: { taken: Taken; event: ReturnType<EventFeed['find']>; untilMs: number }[]
  inFlight: number
  isFailing: boolean
  restsUntilMs: number
  /** Whether more was due than could be taken. */
  hasMore: boolean
}

/** Sends what is due from now on, together with other processes that serve the store. */
export function startDeliveries({ context, targets, report, attempted }: DeliveriesOptions) {
  const { clock } = context
  const db = withOrigin(context.db, { type: 'job', name: 'deliverWebhooks' }, clock)
  const startedMs = timeOfDay()
  const sender = createSender(targets)
  const lines = new Map<bigint, Line>()
  /** What is to be stored. */
  let results: Result[] = []
  const stopping = new AbortController()
  let pausing = new AbortController()
  let reported: string | undefined

  /** Stores what became of deliveries, takes what is due, and sends it. */
  async function takeTurn() {
    const due = stopping.signal.aborted ? [] : await db.read(selectDue, { now: clock(), startedMs })
    const rooms = due.flatMap(({ webhookId, isFailing }) => {
      const max = roomOf(lineOf(webhookId, isFailing))
      return max > 0 ? [{ webhookId, max }] : []
    })
    if (rooms.length === 0 && results.length === 0) return
    const stored = results
    results = []
    const untilMs = performance.now() + waitMaxMs
    // Asked for: no attempt that ends meanwhile begins another turn.
    for (const { webhookId } of rooms) lineOf(webhookId).hasMore = false
    const input = { now: clock(), startedMs, results: stored, rooms }
    const taken = await db.write(exchangeDeliveries, input).catch((error) => {
      results = [...stored, ...results]
      throw error
    })
    // Their events are read together; the attempt that awaits one tells of its failure.
    for (const one of taken) {
      const event = context.feed.find(one.eventId)
      event.catch(() => undefined)
      lineOf(one.webhookId).waiting.push({ taken: one, event, untilMs })
    }
    for (const { webhookId, max } of rooms)
      lineOf(webhookId).hasMore = taken.filter((one) => one.webhookId === webhookId).length === max
    for (const line of lines.values()) advance(line)
  }

  function lineOf(webhookId: bigint, isFailing = false): Line {
    const known = lines.get(webhookId)
    if (known) return known
    const line = { waiting: [], inFlight: 0, isFailing, restsUntilMs: 0, hasMore: false }
    lines.set(webhookId, line)
    return line
  }

  function roomOf({ waiting, inFlight, isFailing, restsUntilMs }: Line): number {
    if (!isFailing) return waiting.length < takenMax / 2 ? takenMax - waiting.length : 0
    return performance.now() < restsUntilMs ? 0 : inFlightFailing - inFlight - waiting.length
  }

  function advance(line: Line) {
    while (line.inFlight < (line.isFailing ? inFlightFailing : inFlightMax)) {
      const next = line.waiting.shift()
      if (!next) return
      if (stopping.signal.aborted || performance.now() > next.untilMs) {
        results.push(unsentResult(next.taken))
        continue
      }
      line.inFlight += 1
      void deliver(line, next).finally(() => {
        line.inFlight -= 1
        advance(line)
        if (line.hasMore && !line.isFailing && line.waiting.length < takenMax / 2) wake()
      })
    }
  }

  async function deliver(line: Line, { taken, event }: Line['waiting'][number]) {
    const result = await makeAttempt(context, sender, { taken, event }).catch((error) => {
      tell('An attempt of a webhook could not be made.', error)
      return undefined
    })
    results.push(result ?? unsentResult(taken))
    if (result) attempted?.(result.status)
    if (result?.status === 'succeeded') line.isFailing = false
    if (result?.status === 'succeeded' || (result && !result.fault)) return
    if (result) {
      line.isFailing = true
      line.restsUntilMs = performance.now() + restMs
    }
    // Little of a receiver that fails, and nothing of a webhook that is no longer sent to, waits in memory.
    for (const { taken: one } of line.waiting.splice(0)) results.push(unsentResult(one))
  }

  function tell(sentence: string, error: unknown) {
    const text = `${sentence} ${error}`
    if (text !== reported) report(sentence, error)
    reported = text
  }

  function wake() {
    pausing.abort()
  }

  async function run() {
    while (!stopping.signal.aborted) {
      pausing = new AbortController()
      try {
        await takeTurn()
        await pause(turnMs, pausing.signal)
      } catch (error) {
        tell('Webhooks could not be read or stored.', error)
        await pause(failedTurnMs, stopping.signal)
      }
    }
  }

  const running = run()
  return {
    /** There may be more to send. */
    wake,
    /** Resolves once nothing is sent any more and other processes may send, after some two seconds at most. */
    async stop() {
      stopping.abort()
      wake()
      await Promise.race([attemptsEnded(), pause(stopMaxMs)])
      // The others end without a result.
      sender.close()
      await Promise.race([giveBack().catch(() => {}), pause(stopMaxMs)])
    },
  }

  async function attemptsEnded() {
    while ([...lines.values()].some(({ inFlight }) => inFlight > 0)) await sleep(10)
  }

  async function giveBack() {
    await Promise.all([running, attemptsEnded()])
    for (const line of lines.values()) advance(line)
    await takeTurn()
  }
}

/** Does not keep the process from ending. */
async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal }).catch(() => undefined)
}
