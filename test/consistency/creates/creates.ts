import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { parseJson, stringifyJson } from '../../../src/contract/int64-json.ts'
import { EventLog, requireEvents } from '../events.ts'
import { nextOf, readerOf, request } from './clients.ts'

/** Where a service listens, and a key that it knows. */
interface Target {
  baseUrl: string
  key: string
}

/** A pet as it was received, with exact integers. */
export type WirePet = Record<string, unknown>

export interface Attempt {
  sent: WirePet
  /** `unknown`: sent, but the response never came, or was a 503. It may be stored or not. */
  outcome: 'acknowledged' | 'refused' | 'unknown'
  /** The body of the 201; absent when the connection broke before its end. */
  pet?: WirePet
  /** The status of the response; absent when there was none. */
  status?: number
}

/** All creates that were sent to one database, over all of its restarts. */
export class CreateRecord {
  attempts = new Map<string, Attempt>()
  readonly log = new EventLog()
  /** The highest id that a check has found: all later ids must be above it. */
  highestIdChecked = 0n
  /** How many attempts that check covered. */
  attemptsChecked = 0
  #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** A new pet with a name that is unique in this record. */
  nextPet(): WirePet {
    const n = this.attempts.size
    const name = `${this.#prefix}-${n} "é\\🐾`
    const categoryId = n % 5 === 0 ? 2n ** 63n - 1n - BigInt(n) : BigInt(n % 7)
    const status = [undefined, 'available', 'pending', 'sold'][n % 4]
    const pet = status === undefined ? { name, categoryId } : { name, categoryId, status }
    this.attempts.set(name, { sent: pet, outcome: 'unknown' })
    return pet
  }

  count(outcome: Attempt['outcome']): number {
    return [...this.attempts.values()].filter((attempt) => attempt.outcome === outcome).length
  }
}

interface LoadOptions {
  connections: number
  signal: AbortSignal
}

/** Sends creates, one at a time on each connection, until the signal; records their outcomes. */
export async function sendCreates(
  target: Target,
  record: CreateRecord,
  { connections, signal }: LoadOptions,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const sendUntilAborted = async () => {
    while (!signal.aborted) {
      const attempt = await sendCreate(target, record, { agent, signal })
      // A pause when the service is down or cannot write, so that clients do not spin.
      if (attempt.outcome !== 'acknowledged') await sleep(5)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendUntilAborted))
  agent.destroy()
}

/** Sends creates on 16 connections for a time, and until one is acknowledged; then ends the service, and resolves with the load. */
export async function endUnderCreates<T>(
  target: Target,
  record: CreateRecord,
  { afterMs, end }: { afterMs: number; end(): Promise<T> },
): Promise<T> {
  const stopping = new AbortController()
  const load = sendCreates(target, record, { connections: 16, signal: stopping.signal })
  await sleep(afterMs)
  await firstAcknowledgement(record)
  const ended = await end()
  stopping.abort()
  await load
  return ended
}

/** Waits, for 30 s at most, until any create has been acknowledged. */
export async function firstAcknowledgement(record: CreateRecord): Promise<void> {
  const deadline = performance.now() + 30_000
  while (record.count('acknowledged') === 0) {
    if (performance.now() > deadline) throw new Error('no create was acknowledged within 30 s')
    await sleep(5)
  }
}

/** Sends one create, every other one with an Idempotency-Key, and records its outcome. Never throws. */
export async function sendCreate(
  target: Target,
  record: CreateRecord,
  options: { agent?: http.Agent; signal?: AbortSignal } = {},
): Promise<Attempt> {
  const sent = record.nextPet()
  const attempt = record.attempts.get(String(sent.name)) as Attempt
  // Names have any characters.
  const key = { 'idempotency-key': encodeURIComponent(String(sent.name)) }
  const answer: { status?: number; text?: string } = await request(`${target.baseUrl}/pets`, {
    ...{ ...options, key: target.key, body: stringifyJson(sent) },
    ...(record.attempts.size % 2 === 0 ? { headers: key } : {}),
  }).catch(({ status }) => ({ status }))
  // The connection broke before any response: the outcome stays unknown.
  if (answer.status === undefined) return attempt
  attempt.status = answer.status
  if (answer.status === 201) attempt.outcome = 'acknowledged'
  else if (answer.status < 500) attempt.outcome = 'refused'
  if (answer.status === 201 && answer.text !== undefined) attempt.pet = parsePet(answer.text)
  return attempt
}

/** As `checkCreates`; the events too must be those of the record, and lead to what the lists return. */
export async function checkStore(target: Target, record: CreateRecord): Promise<WirePet[]> {
  const listed = await checkCreates(target, record)
  const asked = [...record.attempts].map(([subject, { outcome }]) => {
    return { type: 'pet.created', subject, outcome }
  })
  const reader = readerOf({ baseUrls: [target.baseUrl], key: target.key }, 0)
  await requireEvents(reader, record.log, asked)
  return listed
}

/** Reads all pages and throws, naming the violations, unless they hold what the record requires. */
export async function checkCreates(target: Target, record: CreateRecord): Promise<WirePet[]> {
  const listed = await listAllPets(target)
  const violations = findViolations(listed, record)
  if (violations.length > 0) {
    const shown = violations.slice(0, 10).join('\n  ')
    throw new Error(`${violations.length} violations among ${listed.length} pets:\n  ${shown}`)
  }
  record.attemptsChecked = record.attempts.size
  record.highestIdChecked = idOf(listed.at(-1)) ?? 0n
  return listed
}

/** Every pet, page by page, as the service lists them. Throws on any status but 200. */
async function listAllPets(target: Target): Promise<WirePet[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const pets: WirePet[] = []
  let url: string | undefined = `${target.baseUrl}/pets?limit=100`
  while (url !== undefined) {
    const answer = await request(url, { key: target.key, agent })
    if (answer.status !== 200) throw new Error(`GET ${url}: ${answer.status} ${answer.text}`)
    const page = parse(answer.text) as WirePet[]
    const isTurningBack = (idOf(page[0]) ?? 0n) <= (idOf(pets.at(-1)) ?? -1n)
    pets.push(...page)
    // Paging that does not ascend might never end; `findViolations` reports what was read.
    url = isTurningBack ? undefined : nextOf(answer)
  }
  agent.destroy()
  return pets
}

/** What is wrong with a list of all pets, in sentences: an acknowledged create is lost, changed … */
function findViolations(listed: WirePet[], record: CreateRecord): string[] {
  return [
    ...violationsOfOrder(listed),
    ...violationsOfContent(listed, record),
    ...violationsOfAcknowledgements(listed, record),
  ]
}

function violationsOfOrder(listed: WirePet[]): string[] {
  return listed.flatMap((pet, index) => {
    const before = idOf(listed[index - 1])
    if (idOf(pet) === undefined) return [`no id: ${stringifyJson(pet)}`]
    if (before === undefined || before < (idOf(pet) as bigint)) return []
    return [`not ascending: ${stringifyJson(pet)} follows ${before}`]
  })
}

function violationsOfContent(listed: WirePet[], record: CreateRecord): string[] {
  const seen = new Set<unknown>()
  return listed.flatMap((pet) => {
    const attempt = record.attempts.get(String(pet.name))
    if (attempt === undefined) return [`foreign: ${stringifyJson(pet)} was never sent`]
    if (seen.has(pet.name)) return [`duplicated: ${stringifyJson(pet)}`]
    seen.add(pet.name)
    if (attempt.outcome === 'refused')
      return [`refused (${attempt.status}), yet there: ${stringifyJson(pet)}`]
    const wanted = attempt.pet ?? { id: pet.id, ...attempt.sent }
    return isDeepStrictEqual(pet, wanted)
      ? []
      : [`changed: ${stringifyJson(wanted)} is ${stringifyJson(pet)}`]
  })
}

function violationsOfAcknowledgements(listed: WirePet[], record: CreateRecord): string[] {
  const there = new Set(listed.map((pet) => pet.name))
  const given = new Map<bigint, WirePet>()
  return [...record.attempts.values()].flatMap((attempt, index) => {
    if (attempt.outcome !== 'acknowledged') return []
    const violations: string[] = []
    const { sent, pet } = attempt
    if (!there.has(sent.name)) violations.push(`lost: ${stringifyJson(pet ?? sent)}`)
    if (pet === undefined) return violations
    const id = idOf(pet)
    if (id === undefined) return [...violations, `no id: ${stringifyJson(pet)}`]
    if (!isDeepStrictEqual(pet, { id, ...sent })) {
      violations.push(`changed: ${stringifyJson(sent)} was answered with ${stringifyJson(pet)}`)
    }
    if (given.has(id))
      violations.push(`id given twice: ${stringifyJson(pet)}, ${stringifyJson(given.get(id))}`)
    if (index >= record.attemptsChecked && id <= record.highestIdChecked) {
      violations.push(`id ${id} given after ${record.highestIdChecked}`)
    }
    given.set(id, pet)
    return violations
  })
}

function idOf(pet: WirePet | undefined): bigint | undefined {
  return typeof pet?.id === 'bigint' ? pet.id : undefined
}

/** A response that is not JSON becomes a pet without an id, which every check reports. */
function parsePet(text: string): WirePet {
  try {
    return parse(text) as WirePet
  } catch {
    return { text }
  }
}

function parse(text: string): unknown {
  return withBigInts(parseJson(text))
}

/** Every integer as a `bigint`, so that values compare whatever their size. */
function withBigInts(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value)
  if (Array.isArray(value)) return value.map(withBigInts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withBigInts(member)]),
  )
}
