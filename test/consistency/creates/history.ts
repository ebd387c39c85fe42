import { type AskedChange, EventLog } from '../events.ts'

/** A pet as the checker sees it. Names are unique, so a name identifies a create. `content` is its JSON without the id. */
export type SeenPet = { id: number; name: string; content?: string }

type Timed = {
  /** Which of the services got the request. */
  service: number
  startMs: number
  /** Infinite while there is no response. */
  endMs: number
}

/** `refused`: not stored. `unknown`: stored once or not at all. */
export type Create = Timed & {
  kind: 'create'
  name: string
  outcome: 'acknowledged' | 'refused' | 'unknown'
  id?: number
  /** Of the response, if one came. */
  status?: number
  /** What was sent. */
  content?: string
  /** Its status follows from its orders. */
  isOrdered?: true | undefined
}

/** A successful read of all pets with ids from `from` to `to`, both included. */
export type Read = Timed & { kind: 'read'; from: number; to: number; pets: readonly SeenPet[] }

export type Verdict = {
  /** `unknown` where nothing was proved; it counts as failed. */
  verdict: 'passed' | 'violated' | 'unknown'
  /** Sentences: the violations, or what is missing for a proof. */
  reasons: string[]
}

/** What a run must contain to prove anything. */
export type Wanted = {
  /** How often the fault happened; absent in runs without faults. */
  faults?: number
  /**
   * The number of services, each of which must have acknowledged creates and served reads, or placed or refused orders: a slow one
   * may place none.
   */
  services: number
  /** Only later responses count. */
  sinceMs?: number
}

/** All requests and responses of the clients of one database, by one clock. */
export class History {
  readonly creates = new Map<string, Create>()
  readonly reads: Read[] = []
  /** What the events of the database say. */
  readonly log = new EventLog()
  /** Responses that are wrong by themselves, in sentences. */
  readonly anomalies: string[] = []

  /** Records a create before it is sent. The caller sets the outcome in the returned record. */
  startCreate(service: number, name: string, startMs: number): Create {
    const endMs = Number.POSITIVE_INFINITY
    const create: Create = { kind: 'create', service, name, startMs, endMs, outcome: 'unknown' }
    this.creates.set(name, create)
    return create
  }

  addRead(read: Read): void {
    this.reads.push(read)
  }

  count(outcome: Create['outcome'], sinceMs = 0): number {
    const creates = [...this.creates.values()]
    return creates.filter((create) => create.outcome === outcome && create.endMs > sinceMs).length
  }

  /** The events that there are to be. */
  asked(): AskedChange[] {
    const creates = [...this.creates.values()]
    return creates.map(({ name, outcome }) => ({ type: 'pet.created', subject: name, outcome }))
  }

  /** Drops the reads, which have been checked; the creates stay. */
  forget(): void {
    this.reads.length = 0
  }

  /** Compares all responses with all requests. `last` are all pets at the end. */
  check(last: readonly SeenPet[], wanted: Wanted): Verdict {
    const violations = [
      ...this.anomalies,
      ...reusedIds(this, last),
      ...duplicatedPets(this, last),
      ...foreignPets(this, last),
      ...changedPets(this, last),
      ...disorderedPets(last),
      ...lostPets(this, last),
      ...staleReads(this, last),
    ]
    return verdictOf(violations, findGaps(this, wanted))
  }
}

/** What follows from violations, and from what a run lacks. */
export function verdictOf(violations: string[], gaps: string[]): Verdict {
  if (violations.length > 0) return { verdict: 'violated', reasons: violations }
  return { verdict: gaps.length > 0 ? 'unknown' : 'passed', reasons: gaps }
}

/** Throws, naming the reasons, unless the verdict is `passed`. */
export function requirePassed({ verdict, reasons }: Verdict): void {
  if (verdict === 'passed') return
  const shown = reasons.slice(0, 10).join('\n  ')
  throw new Error(`${verdict}, for ${reasons.length} reasons:\n  ${shown}`)
}

function findGaps(history: History, { faults, services, sinceMs = 0 }: Wanted): string[] {
  const gaps = faults === 0 ? ['no fault happened'] : []
  for (let service = 0; service < services; service++) {
    const isLate = (timed: Timed) => timed.service === service && timed.endMs > sinceMs
    const creates = [...history.creates.values()].filter(isLate)
    if (!creates.some(({ outcome }) => outcome === 'acknowledged')) {
      gaps.push(`service ${service} acknowledged nothing`)
    }
    if (!history.reads.some(isLate)) gaps.push(`service ${service} answered no read`)
  }
  return gaps
}

/** Every pet in a response, with the instant from which it was known. */
function* sightings(history: History): Generator<SeenPet & { knownMs: number }> {
  for (const { name, id, endMs } of history.creates.values()) {
    if (id !== undefined) yield { id, name, knownMs: endMs }
  }
  for (const { pets, endMs } of history.reads) {
    for (const { id, name } of pets) yield { id, name, knownMs: endMs }
  }
}

function reusedIds(history: History, last: readonly SeenPet[]): string[] {
  const nameOf = new Map<number, string>()
  const reused = new Set<string>()
  for (const { id, name } of [...sightings(history), ...last]) {
    const first = nameOf.get(id)
    if (first === undefined) nameOf.set(id, name)
    else if (first !== name) reused.add(`reused: id ${id} is ${first} and ${name}`)
  }
  return [...reused]
}

function duplicatedPets(history: History, last: readonly SeenPet[]): string[] {
  const idOf = new Map<string, number>()
  const duplicated = new Set<string>()
  for (const { id, name } of [...sightings(history), ...last]) {
    const first = idOf.get(name)
    if (first === undefined) idOf.set(name, id)
    else if (first !== id) duplicated.add(`duplicated: ${name} is ${first} and ${id}`)
  }
  for (const pets of [last, ...history.reads.map((read) => read.pets)]) {
    if (new Set(pets.map(({ id, name }) => `${id} ${name}`)).size === pets.length) continue
    duplicated.add(`duplicated: one answer shows a pet twice: ${pets.map(({ id }) => id)}`)
  }
  return [...duplicated]
}

function foreignPets(history: History, last: readonly SeenPet[]): string[] {
  const foreign = new Set<string>()
  const look = ({ id, name }: SeenPet, knownMs: number) => {
    const create = history.creates.get(name)
    if (!create) foreign.add(`foreign: ${id} ${name} was never sent`)
    else if (knownMs < create.startMs) foreign.add(`foreign: ${name} was seen before it was sent`)
    else if (create.outcome === 'refused') foreign.add(`foreign: ${name} was refused, yet is there`)
  }
  for (const pet of sightings(history)) look(pet, pet.knownMs)
  for (const pet of last) look(pet, Number.POSITIVE_INFINITY)
  return [...foreign]
}

function withoutStatus(content: string): string {
  return content.replace(/,"status":"\w+"/, '')
}

/** A pet has the members that were sent, to the last digit, and no other. */
function changedPets(history: History, last: readonly SeenPet[]): string[] {
  const shown = [...history.reads.flatMap(({ pets }) => pets), ...last]
  const changed = shown.filter(({ name, content }) => {
    const create = history.creates.get(name)
    if (content === undefined || create?.content === undefined) return false
    const part = create.isOrdered ? withoutStatus : (whole: string) => whole
    return part(content) !== part(create.content)
  })
  return [...new Set(changed.map(({ id, content }) => `changed: ${id} is ${content}`))]
}

function disorderedPets(last: readonly SeenPet[]): string[] {
  return last.flatMap(({ id }, index) => {
    const before = last[index - 1]?.id ?? 0
    return before <= id ? [] : [`disordered: ${id} follows ${before}`]
  })
}

/** Every pet that a response showed exists at the end. */
function lostPets(history: History, last: readonly SeenPet[]): string[] {
  const there = new Set(last.map(({ name }) => name))
  const lost = new Set<string>()
  for (const { name } of sightings(history)) {
    if (!there.has(name)) lost.add(`lost: ${name}`)
  }
  for (const { name, outcome } of history.creates.values()) {
    if (outcome === 'acknowledged' && !there.has(name)) lost.add(`lost: ${name}`)
  }
  return [...lost]
}

/** No response is older than its request: it shows every pet that was known when the read started. */
function staleReads(history: History, last: readonly SeenPet[]): string[] {
  const knownFrom = new Map<number, number>()
  for (const { id, knownMs } of sightings(history)) {
    knownFrom.set(id, Math.min(knownMs, knownFrom.get(id) ?? Number.POSITIVE_INFINITY))
  }
  const there = new Set(last.map(({ id }) => id))
  const ids = [...knownFrom.keys()].filter((id) => there.has(id)).sort((a, b) => a - b)
  return history.reads.flatMap((read) => {
    const shown = new Set(read.pets.map(({ id }) => id))
    const missing = idsWithin(ids, read).filter(
      (id) => (knownFrom.get(id) as number) < read.startMs && !shown.has(id),
    )
    if (missing.length === 0) return []
    const range = `${read.from} to ${read.to}`
    return [`stale: service ${read.service}, asked for ${range}, did not show ${missing}`]
  })
}

function idsWithin(ids: readonly number[], { from, to }: Read): number[] {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] as number) < from) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < ids.length && (ids[end] as number) <= to) end += 1
  return ids.slice(low, end)
}
