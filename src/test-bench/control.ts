import { parseInstant } from '../contract/instant.ts'
import { ServiceError } from '../contract/service-error.ts'
import { ClockChange, NewFault, NewTestKey, ResetRequest, snapshotNames } from './contract.ts'
import type { JournalFilter } from './journal.ts'
import type { TestBench } from './test-bench.ts'

/** `body` is an empty object where none was sent. */
type Input = { body: unknown; name: string; query: Readonly<Record<string, string>> }

/** One operation of the control interface; paths are below `/test-bench`. */
export type Control = {
  operationId: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  body?: object
  /** Operations with an example respond 200 with such a body, others 204. */
  example?: unknown
  handle(bench: TestBench, input: Input): unknown
}

const clockExample = { now: '2026-11-22T12:00:00.000Z', frozen: false }
const faultExample = {
  operation: 'createPet',
  nth: 1,
  cut: 'after',
  id: 1,
  matched: 0,
  applied: 0,
}
const entryExample = {
  number: 1,
  at: '2026-11-22T12:00:00.000Z',
  requestId: '4f8dd96a-13a7-4f2c-8b4f-a8a8ee1b2cf6',
  method: 'POST',
  target: '/v1/pets',
  operation: 'createPet',
  headers: { host: '127.0.0.1:8080', 'content-type': 'application/json' },
  status: 201,
  isDeprecated: false,
  ignored: [],
  durationMs: 1.3,
  body: '{"name":"Rex","categoryId":1}',
}

/** All operations of the control interface. */
export const controls: readonly Control[] = [
  {
    operationId: 'resetStore',
    method: 'POST',
    path: '/reset',
    summary:
      'Reset the contents, ids, idempotency keys, faults, journal and clock; API keys and snapshots are kept',
    body: ResetRequest,
    handle: (bench, { body }) => bench.reset(body as ResetRequest),
  },
  {
    operationId: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    summary: 'List the names of the snapshots',
    example: { names: ['two-pets'] },
    handle: ({ snapshots }) => ({ names: snapshots.names() }),
  },
  {
    operationId: 'saveSnapshot',
    method: 'PUT',
    path: '/snapshots/{name}',
    summary: 'Save the contents under a name',
    handle: ({ snapshots }, { name }) => snapshots.save(snapshotName(name)),
  },
  {
    operationId: 'deleteSnapshot',
    method: 'DELETE',
    path: '/snapshots/{name}',
    summary: 'Delete a snapshot',
    handle: ({ snapshots }, { name }) => snapshots.drop(snapshotName(name)),
  },
  {
    operationId: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: 'Read the clock of the store',
    example: clockExample,
    handle: (bench) => clockOf(bench),
  },
  {
    operationId: 'changeClock',
    method: 'PATCH',
    path: '/clock',
    summary:
      'Set, advance, stop or start the clock; jobs that fall due, such as expiring holds, run before the response',
    body: ClockChange,
    example: clockExample,
    async handle(bench, { body }) {
      await bench.changeClock(readClockChange(body as ClockChange))
      return clockOf(bench)
    },
  },
  {
    operationId: 'addFault',
    method: 'POST',
    path: '/faults',
    summary: 'Add a fault; of several that match a request, the first is applied',
    body: NewFault,
    example: faultExample,
    handle: ({ faults }, { body }) => faults.add(body as NewFault),
  },
  {
    operationId: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'List the faults and how often they were applied',
    example: { faults: [faultExample] },
    handle: ({ faults }) => ({ faults: faults.list() }),
  },
  {
    operationId: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Remove all faults',
    handle: ({ faults }) => faults.clear(),
  },
  {
    operationId: 'removeFault',
    method: 'DELETE',
    path: '/faults/{name}',
    summary: 'Remove a fault by its id',
    handle({ faults }, { name }) {
      if (faults.remove(Number(name))) return
      throw new ServiceError('not_found', `There is no fault with the id ${JSON.stringify(name)}.`)
    },
  },
  {
    operationId: 'issueTestKey',
    method: 'POST',
    path: '/keys',
    summary:
      'Issue an API key: with some scopes, for a while, expired, revoked, or of the other environment',
    body: NewTestKey,
    example: { key: 'pet_test_…' },
    async handle(bench, { body }) {
      return { key: await bench.issueKey(body as NewTestKey) }
    },
  },
  {
    operationId: 'listRequests',
    method: 'GET',
    path: '/journal',
    summary: 'List the requests below /v1 since the last reset, oldest first',
    example: { requests: [entryExample], dropped: 0 },
    handle: ({ journal }, { query }) => ({
      requests: journal.list(readFilter(query)),
      dropped: journal.dropped(),
    }),
  },
  {
    operationId: 'clearJournal',
    method: 'DELETE',
    path: '/journal',
    summary: 'Clear the journal',
    handle: ({ journal }) => journal.clear(),
  },
]

/** The query parameters of `listRequests`. */
export const journalParameters = ['operation', 'method', 'status', 'code', 'deprecated'] as const

function readFilter(query: Input['query']): JournalFilter {
  const unknown = Object.keys(query).find((name) => !journalParameters.some((one) => one === name))
  if (unknown !== undefined)
    throw new ServiceError(
      'invalid_parameter',
      `The journal is filtered by ${journalParameters.join(', ')}, not by ${JSON.stringify(unknown)}.`,
    )
  const { operation, method, status, code, deprecated } = query
  // A typo would match no request, and a test take that for none received.
  const isStatus = Number(status ?? 200) >= 100 && Number(status ?? 200) <= 599
  if (!isStatus) refuseFilter('status', status, 'an HTTP status such as 201')
  if (deprecated !== undefined && deprecated !== 'true' && deprecated !== 'false')
    refuseFilter('deprecated', deprecated, 'true or false')
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(method === undefined ? {} : { method }),
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(code === undefined ? {} : { code }),
    ...(deprecated === undefined ? {} : { isDeprecated: deprecated === 'true' }),
  }
}

function refuseFilter(name: string, value: string | undefined, allowed: string): never {
  throw new ServiceError(
    'invalid_parameter',
    `${name} must be ${allowed}; received ${JSON.stringify(value)}.`,
  )
}

function snapshotName(name: string): string {
  if (snapshotNames.test(name)) return name
  throw new ServiceError(
    'invalid_parameter',
    'The name of a snapshot has 1 to 64 letters, digits, - and _.',
  )
}

function readClockChange({ now, ...change }: ClockChange) {
  const nowMs = now === undefined ? undefined : parseInstant(now)
  if (now !== undefined && nowMs === undefined)
    throw new ServiceError('invalid_body', 'now must be an instant such as 2030-12-05T00:00:00Z.', {
      problems: [{ pointer: '/now', detail: 'must be an instant such as 2030-12-05T00:00:00Z' }],
    })
  return { ...change, nowMs }
}

function clockOf({ clock }: TestBench) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen() }
}
