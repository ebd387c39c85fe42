import type { Context } from '../context/context.ts'
import { parseJson } from '../contract/int64-json.ts'
import type { JsonText } from '../db/lists/page.ts'
import type { EventsQuery } from '../features/events/contract.ts'
import { listEvents } from '../features/events/list-events.ts'
import { describeEvent, type LoggedEvent } from './describe-event.ts'
import { endOfLog, followLog, stopsOnSignal } from './follow-log.ts'
import { readEventType } from './read-event-type.ts'
import { readInteger } from './read-integer.ts'
import { withStore } from './with-store.ts'

type EventsFlags = {
  environment?: string | undefined
  limit?: string | undefined
  type?: readonly string[] | undefined
  pet?: string | undefined
  order?: string | undefined
  follow: boolean
  json: boolean
}

const chunkMax = 200
const limitDefault = '20'
const limitMax = 10_000n
const idMax = 2n ** 63n - 1n
const inMemorySentence =
  'A store in memory has no events for another process; store.events() of its test has them.'

/** `events`: prints the last events, and with `--follow` those that come. Throws `ExitError`, `OpenError`. */
export async function eventsCommand(flags: EventsFlags): Promise<number> {
  const limit = Number(readIn(flags.limit ?? limitDefault, '--limit', [0n, limitMax]))
  const petId = flags.pet === undefined ? undefined : readIn(flags.pet, '--pet', [0n, idMax])
  const orderId =
    flags.order === undefined ? undefined : readIn(flags.order, '--order', [0n, idMax])
  const filter: EventsQuery = {
    ...(flags.type && { type: flags.type.map(readEventType) }),
    ...(petId === undefined ? {} : { petId }),
    ...(orderId === undefined ? {} : { orderId }),
  }
  const print = (text: JsonText) => {
    const line = flags.json ? text : describeEvent(parseJson(text) as LoggedEvent)
    process.stdout.write(`${line}\n`)
  }
  return withStore(
    { environment: flags.environment, inMemorySentence, purpose: 'use', command: 'events' },
    (context) => printEvents(context, { filter, limit, isFollowed: flags.follow, print }),
  )
}

type Request = {
  filter: EventsQuery
  limit: number
  isFollowed: boolean
  print(event: JsonText): void
}

async function printEvents(context: Context, { filter, limit, isFollowed, print }: Request) {
  const end = await endOfLog(context)
  for (const event of await selectLast(context, filter, { end, limit })) print(event)
  if (!isFollowed) return
  const stopping = stopsOnSignal()
  for await (const event of followLog(context, { after: end, stopping })) {
    if (matches(event, filter)) print(event.text)
  }
}

/** The last events up to a position, the oldest first. */
async function selectLast(
  context: Context,
  filter: EventsQuery,
  { end, limit }: { end: bigint; limit: number },
): Promise<JsonText[]> {
  const last: JsonText[] = []
  let after: bigint | undefined = end + 1n
  while (last.length < limit && after !== undefined) {
    const page = { limit: Math.min(limit - last.length, chunkMax), sort: '-id', after } as const
    const { items, next } = await listEvents(context, { filter, page, wantsTotal: false })
    last.push(...items)
    after = next
  }
  return last.reverse()
}

type Matched = { type: string; record: string; recordId: bigint }

function matches(event: Matched, { type, petId, orderId }: EventsQuery): boolean {
  const isOf = (record: string, id: bigint | undefined) =>
    id === undefined || (event.record === record && event.recordId === id)
  return (type?.includes(event.type) ?? true) && isOf('pet', petId) && isOf('order', orderId)
}

function readIn(text: string, option: string, range: [bigint, bigint]): bigint {
  const sentence = `${option} must be a number from ${range[0]} to ${range[1]}.`
  return readInteger(text, range, sentence) as bigint
}
