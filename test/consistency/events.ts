import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  apply,
  type Event,
  emptyMirror,
  eventsAfter,
  type Mirror,
  type Reader,
  readLists,
} from '../harness/mirror.ts'

const pollMs = 20
/** Twenty times what an event may take to be visible, and time for the server to notice clients that were killed. */
const visibleMaxMs = 40_000

type Outcome = 'acknowledged' | 'refused' | 'unknown'

/** A change that clients asked for. `subject` is what its event names: a pet's name, an order's reference or id. */
export type AskedChange = { type: string; subject: string; outcome: Outcome }

/** The events of one database up to the last one read, and the mirror that they make. */
export class EventLog {
  readonly mirror: Mirror = emptyMirror()
  /** Events out of order, in sentences. */
  readonly anomalies: string[] = []
  #lastId: bigint | undefined
  /** How many events there are, by type and subject. */
  readonly #counts = new Map<string, number>()
  readonly #refusedIds = new Set<string>()
  readonly #requestIds = new Set<string>()

  /** Notes a response that promises that nothing was stored. */
  noteRefused({ headers }: { headers: IncomingHttpHeaders }): void {
    this.#refusedIds.add(String(headers['x-request-id']))
  }

  /** Reads what was added. An event that appears behind a later one is therefore missing for good. */
  async read(reader: Reader): Promise<void> {
    for (const event of await eventsAfter(reader, this.#lastId)) this.#add(event)
  }

  /** What the events lack or have too much. */
  compare(asked: readonly AskedChange[]): string[] {
    const refused = [...this.#refusedIds].filter((id) => this.#requestIds.has(id))
    return [
      ...this.anomalies,
      ...refused.map((id) => `refused event: request ${id} was refused, and has an event`),
      ...asked.flatMap(({ type, subject, outcome }) => {
        const count = this.#counts.get(`${type} ${subject}`) ?? 0
        if (count > 1) return [`second event: ${type} of ${subject} has ${count}`]
        if (outcome === 'refused' && count > 0)
          return [`refused event: ${type} of ${subject} was refused, and has one`]
        return outcome === 'acknowledged' && count === 0
          ? [`no event: ${type} of ${subject} was acknowledged`]
          : []
      }),
    ]
  }

  #add(event: Event): void {
    const { id, type, requestId } = event
    if (id <= (this.#lastId ?? 0n)) this.anomalies.push(`event order: ${id} after ${this.#lastId}`)
    this.#lastId = id
    const name = `${type} ${subjectOf(event)}`
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (requestId !== undefined) this.#requestIds.add(requestId)
    try {
      apply(this.mirror, event)
    } catch (error) {
      this.anomalies.push(`event order: ${id}, ${name}: ${(error as Error).message}`)
    }
  }
}

/**
 * Reads the events until they have all that was acknowledged and, where nothing else changes the store, until their mirror
 * equals its lists. Throws, naming the anomalies.
 */
export async function requireEvents(
  reader: Reader,
  log: EventLog,
  asked: readonly AskedChange[],
  { isQuiet = true } = {},
): Promise<void> {
  const giveUpMs = performance.now() + visibleMaxMs
  for (;;) {
    const lists = isQuiet ? await readLists(reader) : undefined
    await log.read(reader)
    const found = [...log.compare(asked), ...(lists ? differences(log.mirror, lists) : [])]
    if (found.length === 0) return
    const isLate = found.every((one) => /^(no event|mirror):/.test(one))
    if (!isLate || performance.now() > giveUpMs) {
      throw new Error(`${found.length} anomalies of events:\n  ${found.slice(0, 10).join('\n  ')}`)
    }
    await sleep(pollMs)
  }
}

/** The outcome of one change that was requested so often. */
export function outcomeOfAll(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('acknowledged')) return 'acknowledged'
  return outcomes.includes('unknown') ? 'unknown' : 'refused'
}

function subjectOf({ type, data }: Event): unknown {
  if (type.startsWith('pet.')) return data.name
  return type === 'order.placed' ? data.reference : data.id
}

function differences(mirror: Mirror, lists: Mirror): string[] {
  return (Object.keys(lists) as (keyof Mirror)[]).flatMap((kind) => {
    const ids = new Set([...mirror[kind].keys(), ...lists[kind].keys()])
    const different = [...ids].filter(
      (id) => !isDeepStrictEqual(mirror[kind].get(id), lists[kind].get(id)),
    )
    return different.map((id) => `mirror: ${kind} ${id} is not as its list says`)
  })
}
