import assert from 'node:assert/strict'
import { parseJson } from '../../src/contract/int64-json.ts'
import type { TestApi } from './app.ts'

// What somebody knows of a store who only follows its events.

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
} as const
type Kind = keyof typeof lists

type Mirror = Record<Kind, Map<bigint, Members>>

export function emptyMirror(): Mirror {
  return { pet: new Map(), category: new Map(), order: new Map(), inventory: new Map() }
}

/** Applies an event. Fails where the record was not as its `previous` says: then an event is missing, or out of order. */
export function apply(mirror: Mirror, { type, data, previous }: Event): void {
  const [kind, verb] = type.split('.') as [Kind | 'key', string]
  if (kind === 'key') return
  const records = mirror[kind]
  const id = (kind === 'inventory' ? data.petId : data.id) as bigint
  if (verb === 'deleted') assert.deepEqual(records.get(id), data, type)
  else if (previous) assert.deepEqual(changedBy(records.get(id), data), previous, type)
  else assert.equal(records.get(id), undefined, type)
  if (verb === 'deleted') records.delete(id)
  else records.set(id, data)
  if (kind === 'pet') applyToInventory(mirror.inventory, verb, data)
}

/** The members of a record that a change replaces. */
function changedBy(record: Members = {}, data: Members): Members {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value, asText) !== JSON.stringify(data[name], asText)
  return Object.fromEntries(Object.entries(record).filter(isChanged))
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
export function eventsAfter(api: TestApi, after: bigint | undefined): Promise<Event[]> {
  return readAll(api, '/v1/events', 'id', after) as Promise<Event[]>
}

/** What the lists return. */
export async function readLists(api: TestApi): Promise<Mirror> {
  const mirror = emptyMirror()
  for (const kind of Object.keys(lists) as Kind[]) {
    const idName = kind === 'inventory' ? 'petId' : 'id'
    for (const record of await readAll(api, lists[kind], idName))
      mirror[kind].set(record[idName] as bigint, record)
  }
  return mirror
}

async function readAll(api: TestApi, path: string, idName: string, after?: bigint) {
  const all: Members[] = []
  for (let last = after; ; last = all.at(-1)?.[idName] as bigint) {
    const position = last === undefined ? '' : `&after=${last}`
    const response = await api.get(`${path}?limit=100${position}`)
    assert.equal(response.status, 200, response.text)
    const page = parseJson(response.text) as Members[]
    all.push(...page)
    if (page.length < 100) return all
  }
}
