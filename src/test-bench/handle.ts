import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { parseJson, stringifyJson } from '../contract/int64-json.ts'
import type { Misdelivery, NewFault, NewTestKey, ResetRequest } from './contract.ts'
import type { Fault } from './faults.ts'
import type { JournalEntry } from './journal.ts'

/** An expected request. Absent properties are not compared; `body` is compared as JSON. */
type ExpectedRequest = Partial<
  Pick<
    JournalEntry,
    'method' | 'target' | 'operation' | 'status' | 'code' | 'isDeprecated' | 'ignored'
  >
> & { body?: unknown }

type RequestFilter = Partial<Pick<JournalEntry, 'operation' | 'method' | 'status' | 'code'>> & {
  deprecated?: boolean
}

/** A change of a record, as `GET /v1/events` has it; an integer that a double cannot hold is a `bigint`. */
type StoreEvent = {
  id: number | bigint
  /** Such as `pet.created`. */
  type: string
  createdAt: string
  /** The whole record after the change; of a deleted one, as it was last. */
  data: Readonly<Record<string, unknown>>
  /** The members that changed, as they were. */
  previous?: Readonly<Record<string, unknown>>
  actor: { type: 'key' | 'job' | 'command'; name: string; keyId?: number | bigint }
  requestId?: string
}

/** A message to a webhook and its response, or why there was none. */
type SentMessage = {
  eventId: number
  durationMs: number
  responseStatus?: number
  responseBody?: string
  error?: string
}

/** Where events are sent, on this machine; without types all events. */
export type TestWebhookRequest = { url: string; types?: readonly string[] }

type TestWebhook = {
  id: number | bigint
  /** `whsec_…`, which verifies the messages. */
  secret: string
  /** Sends messages at once as they come at worst, and returns what the receiver answered. */
  misdeliver(
    as: Misdelivery['as'],
    options?: { eventId?: number | bigint; delayMs?: number },
  ): Promise<SentMessage[]>
}

/** Controls a test's store. All functions reject with the message of the store's error. */
export type StoreControl = Omit<ReturnType<typeof controlStore>, 'keepWebhook'>

/** Controls a store over HTTP, in this process or in another. */
export function controlStore({ baseUrl, key }: { baseUrl: string; key: string }) {
  const root = baseUrl.replace(/\/v1$/, '/test-bench')

  async function ask<T>(method: string, path: string, body?: unknown, base = root): Promise<T> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    })
    const text = await response.text()
    const received = text === '' ? undefined : parseJson(text)
    if (response.ok) return received as T
    throw new Error((received as { message?: string } | undefined)?.message ?? response.statusText)
  }

  async function issueWebhook(webhook: TestWebhookRequest, base: string): Promise<TestWebhook> {
    type Issued = Pick<TestWebhook, 'id' | 'secret'>
    const { id, secret } = await ask<Issued>('POST', '/webhooks', webhook, base)
    const misdeliver: TestWebhook['misdeliver'] = async (as, options) => {
      const path = `/webhooks/${id}/messages`
      return (await ask<{ messages: SentMessage[] }>('POST', path, { as, ...options })).messages
    }
    return { id, secret, misdeliver }
  }

  const changeClock = async (change: object) =>
    new Date((await ask<{ now: string }>('PATCH', '/clock', change)).now)

  async function requests(filter: RequestFilter = {}): Promise<JournalEntry[]> {
    const entries = Object.entries(filter).map(([name, value]) => [name, String(value)])
    const query = new URLSearchParams(entries)
    return (await ask<{ requests: JournalEntry[] }>('GET', `/journal?${query}`)).requests
  }

  async function events(after?: number | bigint): Promise<StoreEvent[]> {
    const query = after === undefined ? '' : `?after=${after}`
    const { events: found } = await ask<{ events: StoreEvent[] }>('GET', `/events${query}`)
    const last = found.at(-1)
    return last ? [...found, ...(await events(last.id))] : found
  }

  return {
    /**
     * Resets contents, ids, idempotency keys, faults, journal and clock; without an argument, to the contents that the
     * store started with. API keys, snapshots and the webhook of the start are kept.
     */
    reset: (to: 'start' | 'empty' | Omit<ResetRequest, 'to'> = 'start') =>
      ask<void>('POST', '/reset', typeof to === 'string' ? { to } : to),
    /** Saves the contents under a name, for `reset({ snapshot: name })`. */
    saveSnapshot: (name: string) => ask<void>('PUT', `/snapshots/${encodeURIComponent(name)}`),
    /** The names of the snapshots. */
    listSnapshots: async () => (await ask<{ names: string[] }>('GET', '/snapshots')).names,
    deleteSnapshot: (name: string) => ask<void>('DELETE', `/snapshots/${encodeURIComponent(name)}`),
    clock: {
      now: async () => new Date((await ask<{ now: string }>('GET', '/clock')).now),
      /** Jobs that fall due, such as expiring holds, run before the promise resolves. */
      set: (now: string | Date) =>
        changeClock({ now: typeof now === 'string' ? now : now.toISOString() }),
      advance: (ms: number) => changeClock({ advanceMs: ms }),
      freeze: () => changeClock({ frozen: true }),
      unfreeze: () => changeClock({ frozen: false }),
    },
    faults: {
      add: (fault: NewFault) => ask<Fault>('POST', '/faults', fault),
      list: async () => (await ask<{ faults: Fault[] }>('GET', '/faults')).faults,
      remove: (id: number) => ask<void>('DELETE', `/faults/${id}`),
      clear: () => ask<void>('DELETE', '/faults'),
    },
    /** Issues an API key: with some scopes, for a while, expired, revoked, or of the other environment. */
    issueKey: async (request: NewTestKey = {}) =>
      (await ask<{ key: string }>('POST', '/keys', request)).key,
    /** Sends the events of this store to a receiver on this machine from now on; its clock moves the retries. */
    addWebhook: (url: string, types?: readonly string[]) =>
      issueWebhook({ url, ...(types && { types }) }, baseUrl),
    /** As `addWebhook`; each reset adds it again, with its secret. */
    keepWebhook: (webhook: TestWebhookRequest) => issueWebhook(webhook, root),
    /** The requests below `/v1` since the last reset, oldest first. */
    requests,
    clearRequests: () => ask<void>('DELETE', '/journal'),
    /** The events of the store, oldest first: since the last reset, or behind this one. */
    events,
    /** Rejects with an `AssertionError` unless the store received exactly these requests, in this order. */
    async expectRequests(expectedRequests: readonly ExpectedRequest[]): Promise<void> {
      const expected = expectedRequests.map(canonical)
      const actual = (await requests()).map((entry, index) => project(entry, expected[index]))
      if (isDeepStrictEqual(actual, expected)) return
      throw new AssertionError({
        message: `The store did not receive the expected requests: ${actual.length} came, ${expected.length} were expected.`,
        actual,
        expected,
        operator: 'deepStrictEqual',
      })
    },
  }
}

/** With a body as `bodyOf` reads it: each integer of 64 bits in its one form. */
function canonical(expected: ExpectedRequest): ExpectedRequest {
  if (expected.body === undefined) return expected
  return { ...expected, body: parseJson(stringifyJson(expected.body)) }
}

/** The properties of a request that are compared; of a surplus request, its line and status. */
function project(
  entry: JournalEntry,
  expected: ExpectedRequest = { method: '', target: '', status: 0 },
): ExpectedRequest {
  const names = Object.keys(expected) as (keyof ExpectedRequest)[]
  return Object.fromEntries(
    names.map((name) => [name, name === 'body' ? bodyOf(entry) : entry[name]]),
  )
}

function bodyOf({ body }: JournalEntry): unknown {
  try {
    return body === undefined ? undefined : parseJson(body)
  } catch {
    return body
  }
}
