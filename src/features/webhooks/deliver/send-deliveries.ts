import { type EventFeed, type ServiceContext, timeOfDay } from '../../../context/context.ts'
import { withOrigin } from '../../../db/opening/with-origin.ts'
import { DamagedRow } from '../../../db/records/damaged-row.ts'
import type { Job } from '../../../db/storage.ts'
import { performance, sleep } from '../../../timers.ts'
import { authorityOf } from '../authority.ts'
import { type StoredWebhook, selectWebhook } from '../queries.ts'
import { exchangeDeliveries } from './exchange-deliveries.ts'
import { makeAttempt } from './make-attempt.ts'
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
const takenMax = 200
const waitMaxMs = 30_000
/** How often the database is asked what is due. */
const intervalMs = 50
/** For so long attempts rely on what was read of their webhook, unless this process has changed it since. */
const trustMs = 100
/** How long a stop waits for attempts in progress; they are made again. */
const stopMaxMs = 1_000

type DeliveriesOptions = {
  context: ServiceContext
  targets: ReturnType<typeof createTargets>
  /** Called with what came of each attempt. */
  attempted?: ((status: Result['status']) => void) | undefined
}

/** What this process sends to one webhook; forgotten once nothing waits, is in flight or rests. */
type Line = {
  waiting: { taken: Taken; event: ReturnType<EventFeed['find']>; untilMs: number }[]
  inFlight: number
  isFailing: boolean
  restsUntilMs: number
  webhook: Promise<StoredWebhook | undefined> | undefined
  readMs: number
}

/** Sends what is due, together with other processes that serve the store. */
export function createDeliveries({ context, targets, attempted }: DeliveriesOptions) {
  const { clock } = context
  const name = 'deliverWebhooks'
  const db = withOrigin(context.db, { type: 'job', name }, clock)
  const startedMs = timeOfDay()
  const sender = createSender(targets)
  const attempting = { ...context, ...authorityOf({ ...context, actor: undefined }), sender }
  const lines = new Map<bigint, Line>()
  /** What is to be stored. */
  let results: Result[] = []
  let failure: { error: unknown } | undefined
  let isStopping = false

  /** Stores what became of deliveries, takes what is due, and sends it. Returns whether more may be due. */
  async function runStep(): Promise<boolean> {
    for (const [id, line] of lines) if (isIdle(line)) lines.delete(id)
    const due = isStopping ? [] : await db.read(selectDue, { now: clock(), startedMs })
    const rooms = due.flatMap(({ webhookId, isFailing }) => {
      const max = roomOf(lineOf(webhookId, isFailing))
      return max > 0 ? [{ webhookId, max }] : []
    })
    if (rooms.length === 0 && results.length === 0) return false
    const stored = results
    results = []
    const untilMs = performance.now() + waitMaxMs
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
    for (const line of lines.values()) advance(line)
    const failed = failure
    failure = undefined
    if (failed) throw failed.error
    return true
  }

  function lineOf(webhookId: bigint, isFailing = false): Line {
    const line: Line = lines.get(webhookId) ?? {
      waiting: [],
      inFlight: 0,
      isFailing,
      restsUntilMs: 0,
      webhook: undefined,
      readMs: 0,
    }
    lines.set(webhookId, line)
    return line
  }

  function isIdle({ waiting, inFlight, restsUntilMs }: Line): boolean {
    return waiting.length === 0 && inFlight === 0 && performance.now() >= restsUntilMs
  }

  function roomOf({ waiting, inFlight, isFailing, restsUntilMs }: Line): number {
    if (!isFailing) return waiting.length < takenMax / 2 ? takenMax - waiting.length : 0
    return performance.now() < restsUntilMs ? 0 : inFlightFailing - inFlight - waiting.length
  }

  function advance(line: Line) {
    while (line.inFlight < (line.isFailing ? inFlightFailing : inFlightMax)) {
      const next = line.waiting.shift()
      if (!next) return
      if (isStopping || performance.now() > next.untilMs) {
        results.push(unsentResult(next.taken))
        continue
      }
      line.inFlight += 1
      void deliver(line, next).finally(() => {
        line.inFlight -= 1
        advance(line)
      })
    }
  }

  async function deliver(line: Line, { taken, event }: Line['waiting'][number]) {
    const result = await Promise.all([webhookOf(line, taken.webhookId), event])
      .then(([webhook, event]) => makeAttempt(attempting, { taken, webhook, event }))
      .catch((error) => {
        if (error instanceof DamagedRow) context.passOver([error])
        else failure = { error }
        return undefined
      })
    results.push(result ?? unsentResult(taken))
    if (result) attempted?.(result.status)
    if (result?.status === 'succeeded') line.isFailing = false
    if (result && !result.fault) return
    line.isFailing = true
    line.restsUntilMs = performance.now() + restMs
    // Little of a receiver that fails, and nothing of a webhook that is no longer sent to, waits in memory.
    for (const { taken: one } of line.waiting.splice(0)) results.push(unsentResult(one))
  }

  function webhookOf(line: Line, id: bigint): Promise<StoredWebhook | undefined> {
    if (line.webhook && performance.now() < line.readMs + trustMs) return line.webhook
    line.readMs = performance.now()
    line.webhook = db.read(selectWebhook, id)
    return line.webhook
  }

  async function attemptsEnded() {
    while ([...lines.values()].some(({ inFlight }) => inFlight > 0)) await sleep(10)
  }

  const job: Job = { name, intervalMs, isBackground: true, runStep }
  return {
    job,
    /** Webhooks or their keys have changed: attempts from now on read them again. */
    forget() {
      for (const line of lines.values()) line.webhook = undefined
    },
    /** Resolves once nothing is sent any more and other processes may send, after some two seconds at most. The job has ended. */
    async stop() {
      isStopping = true
      for (const line of lines.values()) advance(line)
      await Promise.race([attemptsEnded(), pause()])
      // The others end without a result.
      sender.close()
      await Promise.race([
        attemptsEnded()
          .then(runStep)
          .catch(() => undefined),
        pause(),
      ])
    },
  }
}

/** Does not keep the process from ending. */
async function pause(): Promise<void> {
  await sleep(stopMaxMs, undefined, { ref: false })
}
