import assert from 'node:assert/strict'
import { parseJson } from '../../src/contract/int64-json.ts'

// What somebody knows of a store who only follows its events.

/** Reads of a service, by path. */
export type Reader = { get(path: string): Promise<{ status: number; text: string }> }

type Members = Record<string, unknown>
export type Event = {
  id: bigint
  type: string
  data: Members
  previous?: Members
  actor: { type: string; name: string }
  requestId?: string
}

const lists = {
  pet: '/v1/pets',
  category: '/v1/categories',
  order: '/v1/store/orders',
  inventory: '/v1/inventory',
  details: '/v1/details',
} as const
type Kind = keyof typeof lists

export type Mirror = Record<Kind, Map<bigint, Members>>

export function emptyMirror(): Mirror {
  const [pet, category, order] = [new Map(), new Map(), new Map()]
  return { pet, category, order, inventory: new Map(), details: new Map() }
}

/** Applies an event. Fails where the record was not as its `previous` says: then an event is missing, or out of order. */
export function apply(mirror: Mirror, event: Event): void {
  const { type, data, previous } = event
  const [kind, verb] = type.split('.') as [Kind, string]
  if (kind in lists) {
    const before = mirror[kind].get(idIn(kind, data))
    if (verb === 'deleted') assert.deepEqual(before, data, type)
    else if (previous) assert.deepEqual(changedBy(before, data), previous, type)
    else assert.equal(before, undefined, type)
  }
  repeat(mirror, event)
}

/** Applies an event to a mirror that may have it already: once all later ones are applied too, nothing of that is left. */
export function repeat(mirror: Mirror, { type, data }: Event): void {
  const [kind, verb] = type.split('.') as [Kind, string]
  if (!(kind in lists)) return
  const id = idIn(kind, data)
  if (verb === 'deleted') mirror[kind].delete(id)
  else mirror[kind].set(id, data)
  if (kind === 'pet') applyToInventory(mirror.inventory, verb, data)
  if (type === 'pet.deleted') mirror.details.delete(id)
}

function idIn(kind: Kind, data: Members): bigint {
  return data[idNameOf(kind)] as bigint
}

function idNameOf(kind: Kind): 'petId' | 'id' {
  return kind === 'inventory' || kind === 'details' ? 'petId' : 'id'
}

/** The members that a change replaces, null for those that it adds. */
function changedBy(record: Members = {}, data: Members): Members {
  const textOf = (value: unknown) => JSON.stringify(value ?? null, asText)
  const changed = Object.keys({ ...record, ...data }).filter(
    (name) => textOf(record[name]) !== textOf(data[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, record[name] ?? null]))
}

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

/** The status of an item is that of its pet. A new pet is one, or none where it is sold. */
function applyToInventory(inventory: Mirror['inventory'], verb: string, { id, status }: Members) {
  const petId = id as bigint
  const item = inventory.get(petId)
  if (verb === 'deleted') inventory.delete(petId)
  else if (verb === 'created' && status !== undefined)
    inventory.set(petId, { petId, quantity: status === 'sold' ? 0 : 1, status })
  else if (item) inventory.set(petId, { ...item, status })
}

/** The events after this one. */
export function eventsAfter(reader: Reader, after: bigint | undefined): Promise<Event[]> {
  return readAll(reader, '/v1/events', 'id', after) as Promise<Event[]>
}

/** What the lists return. */
export async function readLists(reader: Reader): Promise<Mirror> {
  const mirror = emptyMirror()
  for (const kind of Object.keys(lists) as Kind[]) {
    const idName = idNameOf(kind)
    for (const record of await readAll(reader, lists[kind], idName))
      mirror[kind].set(record[idName] as bigint, record)
  }
  return mirror
}

async function readAll(reader: Reader, path: string, idName: string, after?: bigint) {
  const all: Members[] = []
  for (let last = after; ; last = all.at(-1)?.[idName] as bigint) {
    const position = last === undefined ? '' : `&after=${last}`
    const response = await reader.get(`${path}?limit=100${position}`)
    assert.equal(response.status, 200, response.text)
    const page = parseJson(response.text) as Members[]
    all.push(...page)
    if (page.length < 100) return all
  }
}
