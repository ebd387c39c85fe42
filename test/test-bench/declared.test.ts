import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operations } from '../../src/app/operations.ts'
import { errorCodes } from '../../src/contract/error-codes.ts'
import { errorCodesOf } from '../../src/openapi/responses.ts'
import { type Petstore, startPetstore } from '../../src/start-petstore.ts'
import { checkAnswer } from '../harness/contract.ts'
import { cases } from '../harness/extent.ts'
import { requests } from '../harness/operations.ts'
import { call } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'

/** How a test asks for an error: in place of the work, in place of the response, or in one request. */
const ways = ['before', 'after', 'prefer'] as const

const matrix = requests.flatMap((request) => {
  const found = operations.find(({ operation }) => operation.operationId === request.operationId)
  assert.ok(found)
  const codes = errorCodesOf(found.operation)
  return codes.flatMap((code) => ways.map((way) => ({ request, code, way })))
})

/** Those that do not replace the response. */
const harmless = [{ delayMs: 1 }, { dripMs: 0 }]

type Request = (typeof requests)[number]

describe('a fault changes no response to one that the document does not declare', () => {
  let store: Petstore
  before(async () => {
    store = await startPetstore({
      fixture: {
        categories: [{ name: 'Cats' }, { name: 'Birds' }],
        pets: [
          { name: 'Rex', status: 'available', photo: 'UklGRhYAAABXRUJQVlA4TAkAAAAvAAAAAEVERAAA' },
          { name: 'Tom', status: 'available', quantity: 2 },
        ],
        orders: [{ pet: 'Tom' }, { pet: 'Tom', status: 'shipped' }],
      },
    })
    for (const name of ['a', 'b', 'c'])
      await call(store, '/keys', { method: 'POST', body: { name, scopes: ['keys:manage'] } })
  })
  after(() => store.close())

  /** The last event: the log of a store that was reset begins anew. */
  let newest = 0

  async function reset() {
    await store.reset()
    const details = await call(store, '/pets/1/details', { method: 'PUT', body: { sex: 'male' } })
    assert.equal(details.status, 201)
    for (let made = 0; made < 2; made++) {
      const body = { url: 'http://127.0.0.1:9/hook' }
      assert.equal((await call(store, '/webhooks', { method: 'POST', body })).status, 201)
    }
    const [event] = (await (await call(store, '/events?sort=-id&limit=1')).json()) as {
      id: number
    }[]
    newest = event?.id ?? 0
  }

  /** Deliveries are made by the service, in its own time. */
  async function retryUrl(): Promise<string> {
    const list = '/webhooks/1/deliveries'
    let id: number | undefined
    await until(async () => {
      const [delivery] = (await (await call(store, list)).json()) as { id: number }[]
      id = delivery?.id
      return id !== undefined
    })
    return `/v1${list}/${id}/retry`
  }

  /** A repetition does not get a key, or a secret, again. */
  const isReplayed = ({ operationId }: Request) =>
    operations.some(
      ({ operation }) =>
        operation.operationId === operationId && operation.idempotency === 'replayed',
    )

  /** Sends it so that a success has all the headers that it can have. */
  async function send(request: Request, headers: Record<string, string> = {}) {
    const { method, operationId } = request
    const urls: Record<string, () => Promise<string>> = {
      getEvent: async () => `/v1/events/${newest}`,
      retryDelivery: retryUrl,
    }
    const url = (await urls[operationId]?.()) ?? request.url
    const { file } = request
    const { type, text } =
      typeof file === 'object' ? file : { type: 'application/x-ndjson', text: file }
    const body = operationId === 'replayWebhook' ? { after: newest } : (request.body ?? text)
    const isList = method === 'GET' && !/\d$/.test(url)
    const target = `${url}?unknown=1${isList ? '&limit=1' : ''}`
    const response = await call(store, target.replace(/^\/v1/, ''), {
      method,
      ...(body && { body }),
      headers: {
        ...(file === undefined ? {} : { 'content-type': type }),
        ...(isReplayed(request) ? { 'idempotency-key': 'once' } : {}),
        ...(isList ? { prefer: 'count=exact' } : {}),
        ...headers,
      },
    })
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
    checkAnswer(method, target, answer)
    return answer
  }

  for (const { request, code, way } of cases(matrix, { quickEvery: 71 })) {
    it(`${request.operationId}: ${code}, ${way}`, async () => {
      await reset()
      const { operationId: operation, status } = request
      if (isReplayed(request)) assert.equal((await send(request)).status, status)
      if (way === 'before') await store.faults.add({ operation, error: code })
      if (way === 'after') await store.faults.add({ operation, status, error: code })

      const answer = await send(request, {
        accept: way === 'after' ? 'application/problem+json' : 'application/json',
        ...(way === 'prefer' ? { prefer: `code=${code}` } : {}),
      })

      assert.equal(answer.status, errorCodes[code].status)
      assert.equal(JSON.parse(answer.text).code, code)
      const [last] = (await store.requests({ operation })).slice(-1)
      assert.deepEqual([last?.status, last?.code], [answer.status, code])
    })
  }

  for (const { request, fault } of cases(
    requests.flatMap((one) => harmless.map((fault) => ({ request: one, fault }))),
    { quickEvery: 29 },
  )) {
    it(`${request.operationId}: ${JSON.stringify(fault)}`, async () => {
      await reset()
      await store.faults.add({ operation: request.operationId, ...fault })

      const { status, text } = await send(request)

      assert.equal(status, request.status, text)
    })
  }
})
