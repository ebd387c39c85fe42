import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { startApp, type TestApi, type TestApp } from '../../test/harness/app.ts'
import { isOnPostgres } from '../../test/harness/engine.ts'
import { amount } from '../../test/harness/extent.ts'
import {
  apply,
  type Event,
  emptyMirror,
  eventsAfter,
  readLists,
} from '../../test/harness/mirror.ts'
import { repeatWhile } from '../../test/harness/repeat.ts'
import { runJobs } from '../app/jobs.ts'

// After any history of requests, the events alone give what the lists return.

const holdMs = 60_000

/** `own`: the type of the one event of a success; `mayChangeNothing`: a success may have none. */
type Request = {
  method: string
  url: string
  body?: object
  own: string
  mayChangeNothing?: true
}
/** Requests that are sent at once, some time after those before. */
type Turn = { afterMs: number; isSwept: boolean; requests: Request[] }

const id = fc.integer({ min: 1, max: 8 })
const name = fc.constantFrom('Ann', 'Bob', 'C"\\d', 'Ĉu')
const status = fc.option(fc.constantFrom('available', 'available', 'pending', 'sold'), {
  nil: undefined,
})
const pet = fc.record({ name, categoryId: fc.constantFrom(1, 7, -3), status })
const description = fc.option(fc.constantFrom('Soft', 'Loud'))

const request: fc.Arbitrary<Request> = fc.oneof(
  pet.map((body) => ({ method: 'POST', url: '/v1/pets', body, own: 'pet.created' })),
  fc.tuple(id, pet).map(([at, body]) => ({ ...changeOf(`pets/${at}`, body), own: 'pet.updated' })),
  id.map((at) => ({ method: 'DELETE', url: `/v1/pets/${at}`, own: 'pet.deleted' })),
  name.map((text) => ({
    ...{ method: 'POST', url: '/v1/categories', body: { name: text } },
    own: 'category.created',
  })),
  fc.tuple(id, name, description).map(([at, text, words]) => ({
    ...changeOf(`categories/${at}`, { name: text, description: words }),
    own: 'category.updated',
  })),
  id.map((at) => ({ method: 'DELETE', url: `/v1/categories/${at}`, own: 'category.deleted' })),
  fc.tuple(id, description).map(([at, text]) => ({
    ...changeOf(`pets/${at}/details`, text === null ? { tags: ['tame'] } : { description: text }),
    ...{ method: 'PUT', own: 'details.updated' },
  })),
  id.map((at) => ({ method: 'DELETE', url: `/v1/pets/${at}/details`, own: 'details.deleted' })),
  fc.tuple(id, fc.integer({ min: 0, max: 4 })).map(([at, quantity]) => ({
    ...changeOf(`inventory/${at}`, { quantity }),
    own: 'inventory.updated',
  })),
  ...[1, 2].map(() =>
    fc.tuple(id, fc.integer({ min: 1, max: 3 })).map(([petId, quantity]) => ({
      ...{ method: 'POST', url: '/v1/store/orders', body: { petId, quantity } },
      own: 'order.placed',
    })),
  ),
  ...(['ship', 'deliver'] as const).map((verb) =>
    id.map((at) => ({
      ...{ method: 'POST', url: `/v1/store/orders/${at}/${verb}` },
      own: { ship: 'order.shipped', deliver: 'order.delivered' }[verb],
    })),
  ),
  id.map((at) => ({
    ...{ method: 'DELETE', url: `/v1/store/orders/${at}` },
    own: 'order.cancelled',
  })),
)

function changeOf(path: string, body: object) {
  return { method: 'PATCH', url: `/v1/${path}`, body, mayChangeNothing: true } as const
}

const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, 0, holdMs / 2),
    isSwept: fc.boolean(),
    requests: fc.array(request, { minLength: 4, maxLength: 12 }),
  }),
  { minLength: 3, maxLength: 8 },
)

it('the events of any history give what the lists return; each change has one, and nothing refused', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (sent) => {
      const app = await startApp({ settings: { PETSTORE_ORDER_HOLD_MS: String(holdMs) } })
      try {
        await check(app, sent)
      } finally {
        await app.close()
      }
    }),
    { numRuns: amount({ quick: isOnPostgres ? 1 : 3, full: 60 }), endOnFailure: isOnPostgres },
  )
})

async function check(app: TestApp, sent: readonly Turn[]) {
  const { api, clock, context } = app
  const mirror = emptyMirror()
  const events: Event[] = []
  const expected: { request: Request; requestId: string; isDone: boolean }[] = []
  for (const { afterMs, isSwept, requests } of sent) {
    clock.ms += afterMs
    if (isSwept) await runJobs(context)
    expected.push(...(await Promise.all(requests.map((one) => send(api, one)))))
    const lists = await readLists(api)
    // On PostgreSQL an event becomes visible some time after its commit.
    const isBehind = async () => {
      const next = await eventsAfter(api, events.at(-1)?.id)
      for (const event of next) apply(mirror, event)
      events.push(...next)
      return isOnPostgres && !isDeepStrictEqual(mirror, lists)
    }
    await repeatWhile(isBehind, (isSo) => isSo)
    assert.deepEqual(mirror, lists)
  }

  for (const { request, requestId, isDone } of expected) {
    const own = events.filter((event) => event.requestId === requestId)
    const { length } = own.filter(({ type }) => type === request.own)
    if (!isDone) assert.deepEqual(own, [], `${request.method} ${request.url} was refused`)
    else if (!request.mayChangeNothing) assert.equal(length, 1, `${request.method} ${request.url}`)
    else assert.ok(length <= 1, `${request.method} ${request.url}`)
  }
  for (const { type, actor, requestId } of events) {
    assert.equal(type === 'order.expired' ? actor.name : 'expireOrders', 'expireOrders')
    assert.ok(requestId === undefined || actor.type === 'key', type)
  }
}

async function send(api: TestApi, request: Request) {
  const { method, url, body } = request
  const response = await api.send(method, url, body ? { body } : {})
  const requestId = String(response.headers['x-request-id'])
  return { request, requestId, isDone: response.status < 300 }
}
