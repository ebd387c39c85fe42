import type { Context } from '../context/context.ts'
import { parseJson } from '../contract/int64-json.ts'
import type { JsonText } from '../db/lists/page.ts'
import type { EventsQuery } from '../features/events/contract.ts'
import { listEvents } from '../features/events/list-events.ts'
import type { FlagsOf } from './define-command.ts'
import { endOfLog, followLog, stopsOnSignal } from './follow-log.ts'
import { readEventType } from './read-event-type.ts'
import { idMax, readNumber } from './read-integer.ts'
import { withStore } from './with-store.ts'

type EventsFlags = FlagsOf<'follow' | 'json', 'limit' | 'pet' | 'order', 'type'>

const chunkMax = 200
const inMemorySentence =
  'A store in memory has no events for another process; store.events() of its test has them.'

/** `events`: prints the last events, and with `--follow` those that come. Throws `ExitError`, `OpenError`. */
export async function eventsCommand(flags: EventsFlags): Promise<number> {
  const limit = Number(readNumber('--limit', flags.limit ?? '20', [0n, 10_000n]))
  const petId = readNumber('--pet', flags.pet, [0n, idMax])
  const orderId = readNumber('--order', flags.order, [0n, idMax])
  const filter: EventsQuery = {
    ...(flags.type && { type: flags.type.map(readEventType) }),
    ...(petId === undefined ? {} : { petId }),
    ...(orderId === undefined ? {} : { orderId }),
  }
  const print = (text: JsonText) => {
    const line = flags.json ? text : describeEvent(parseJson(text) as LoggedEvent)
    process.stdout.write(`${line}\n`)
  }
  return withStore(flags, { inMemorySentence }, (context) =>
    printEvents(context, { filter, limit, isFollowed: flags.follow, print }),
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

type Members = Readonly<Record<string, unknown>>

/** An event as operations return it. */
type LoggedEvent = {
  createdAt: string
  type: string
  data: Members
  previous?: Members
  actor: { type: string; name: string }
}

const typeWidth = 'inventory.updated'.length

/** An event as a line for people: when, what, of which record, from what to what, and by whom. */
function describeEvent(event: LoggedEvent): string {
  const { createdAt, type, data, previous = {}, actor } = event
  const changes = Object.entries(previous).map(
    ([name, before]) => `${name} ${shown(before)} → ${shown(data[name])}`,
  )
  const what = [subjectOf(type, data), changes.join(', ')].filter(Boolean).join(': ')
  return `${createdAt}  ${type.padEnd(typeWidth)}  ${what}, by ${actor.type} ${shown(actor.name)}`
}

/** The record: its kind and id, and what people know it by. */
function subjectOf(type: string, { id, petId, name, quantity }: Members): string {
  const [kind] = type.split('.', 1)
  if (kind === 'inventory') return `stock of pet ${petId}, ${quantity} on hand`
  const pet = petId === undefined ? [] : [`of pet ${petId}`]
  const known = name === undefined ? [] : [`“${name}”`]
  return [kind, id, ...pet, ...known].join(' ')
}

/** A value in words; a text is quoted unless it is one word or an instant. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.map(shown).join(' ')
  return typeof value === 'string' && !/^[\w:.@-]+$/.test(value) ? `“${value}”` : String(value)
}
