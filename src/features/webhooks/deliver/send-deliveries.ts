import { type EventFeed, type ServiceContext, timeOfDay } from '../../../context/context.ts'
import { withOrigin } from '../../../db/opening/with-origin.ts'
import { DamagedRow } from '../../../db/records/damaged-row.ts'
import type { Job } from '../../../db/storage.ts'
import { performance, sleep } from '../../../timers.ts'
import { authorityOf, mayRead } from '../authority.ts'
import { type StoredWebhook, selectWebhook } from '../queries.ts'
import { exchangeDeliveries } from './exchange-deliveries.ts'
import { selectDue, takenMax } from './queries.ts'
import { type Result, resultOf, type Taken, unsendableResult, unsentResult } from './result-of.ts'
import { createSender } from './send-attempt.ts'
import { signedHeaders } from './sign.ts'
import type { createTargets } from './targets.ts'

/** Requests in flight to one webhook, and while it fails. */
const inFlightMax = 8
const inFlightFailing = 2
/** A webhook that has failed rests for so long: a dead receiver costs little. */
const restMs = 500
/** For so long attempts rely on what was read of their webhook, unless this process has changed it since. */
const waitMaxMs = 1_000
/** How often the database is asked what is due. */
const intervalMs = 50
/** How long a stop waits for attempts in progress; they are made again. */
const stopMaxMs = 1_000

const isDeleted = 'The event was deleted before it could be delivered, or is damaged.'
const isUnreadable = 'The key that made this webhook may not read the event.'

type DeliveriesOptions = {
  context: ServiceContext
  targets: ReturnType<typeof createTargets>
  /** Called with what came of each attempt. */
  attempted?: ((status: Result['status']) => void) | undefined
}

/** A delivery that was taken, with its event and its webhook. */
type Waiting = {
  taken: Taken
  event: Awaited<ReturnType<EventFeed['find']>>
  webhook: StoredWebhook | undefined
  untilMs: number
}

/** What this process sends to one webhook; forgotten once nothing waits, is in flight or rests. */
type Line = { waiting: Waiting[]; inFlight: number; isFailing: boolean; restsUntilMs: number }

/** Sends what is due, together with other processes that serve the store. */
export function createDeliveries({ context, targets, attempted }: DeliveriesOptions) {
  const { clock, scopes } = context
  const name = 'deliverWebhooks'
  const db = withOrigin(context.db, { type: 'job', name }, clock)
  const startedMs = timeOfDay()
  const sender = createSender(targets)
  const { scopeOf } = authorityOf({ ...context, actor: undefined })
  const lines = new Map<bigint, Line>()
  /** What is to be stored. */
  let results: Result[] = []
  /** How often webhooks or their keys have changed. */
  let changes = 0
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
    const changesBefore = changes
    const input = { now: clock(), startedMs, results: stored, rooms }
    const taken = await db.write(exchangeDeliveries, input).catch((error) => {
      results = [...stored, ...results]
      throw error
    })
    const [webhooks, events] = await Promise.all([
      Promise.all(rooms.map(async ({ webhookId: id }) => [id, await readWebhook(id)] as const)),
      Promise.all(taken.map(({ eventId }) => context.feed.find(eventId))),
    ]).catch((error) => {
      results.push(...taken.map(unsentResult))
      throw error
    })
    const webhookBy = new Map(webhooks)
    const untilMs = performance.now() + waitMaxMs
    for (const [index, one] of taken.entries()) {
      const webhook = webhookBy.get(one.webhookId)
      lineOf(one.webhookId).waiting.push({ taken: one, event: events[index], webhook, untilMs })
    }
    for (const line of lines.values()) {
      if (changes !== changesBefore) giveBack(line)
      advance(line)
    }
    return true
  }

  /** Undefined where it is deleted or damaged. */
  async function readWebhook(id: bigint): Promise<StoredWebhook | undefined> {
    return db.read(selectWebhook, id).catch((error) => {
      if (!(error instanceof DamagedRow)) throw error
      context.passOver([error])
      return undefined
    })
  }

  function lineOf(webhookId: bigint, isFailing = false): Line {
    const line: Line = lines.get(webhookId) ?? {
      ...{ waiting: [], inFlight: 0, isFailing, restsUntilMs: 0 },
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

  async function deliver(line: Line, waiting: Waiting) {
    const result = await attempt(waiting)
    results.push(result ?? unsentResult(waiting.taken))
    if (result) attempted?.(result.status)
    if (result?.status === 'succeeded') line.isFailing = false
    if (result && !result.fault) return
    line.isFailing = true
    line.restsUntilMs = performance.now() + restMs
    // Little of a receiver that fails, and nothing of a webhook that is no longer sent to, waits in memory.
    giveBack(line)
  }

  function giveBack({ waiting }: Line) {
    for (const { taken } of waiting.splice(0)) results.push(unsentResult(taken))
  }

  /** Undefined where nothing was sent: the webhook is no longer enabled, or the service stops. */
  async function attempt({ taken, event, webhook }: Waiting): Promise<Result | undefined> {
    if (webhook?.status !== 'enabled') return undefined
    const { eventId, eventType } = taken
    const { url, secret, previousSecret, previousSecretEndsAt = '' } = webhook
    const now = clock()
    if (!event) return unsendableResult(taken, now, isDeleted)
    if (eventType !== 'webhook.tested' && !mayRead(webhook, { now, scopes, scopeOf })(eventType))
      return unsendableResult(taken, now, isUnreadable)
    // For a day after a rotation the replaced secret signs too.
    const isReplacing = previousSecret && Date.parse(previousSecretEndsAt) > now
    const secrets = isReplacing ? [secret, previousSecret] : [secret]
    const body = Buffer.from(event.text)
    const headers = {
      ...signedHeaders(secrets, { id: String(eventId), body }, timeOfDay()),
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    }
    const outcome = await sender.send({ url, headers, body })
    return outcome.isStopped
      ? undefined
      : resultOf(taken, outcome, { url, startMs: now, endMs: clock() })
  }

  async function attemptsEnded() {
    while ([...lines.values()].some(({ inFlight }) => inFlight > 0)) await sleep(10)
  }

  const job: Job = { name, intervalMs, isBackground: true, runStep }
  return {
    job,
    /** Webhooks or their keys have changed: what waits is taken again with what they are now. */
    forget() {
      changes += 1
      for (const line of lines.values()) giveBack(line)
    },
    /** Resolves once nothing is sent any more and other processes may send, after some two seconds at most. The job has ended. */
    async stop() {
      isStopping = true
      for (const line of lines.values()) giveBack(line)
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
