import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aPet, expectError } from '../harness/app.ts'
import { type Answer, checkAnswer } from '../harness/contract.ts'
import { cases, itInFull } from '../harness/extent.ts'
import { repeatRefused, repeatWhile } from '../harness/repeat.ts'
import { until } from '../harness/until.ts'
import { ask } from '../processes/command.ts'
import type { FaultProxy } from '../processes/fault-proxy.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { type Fleet, type ProxiedFleet, startProxiedFleet } from '../processes/postgres-faults.ts'
import { openSession } from '../processes/postgres-store.ts'

const eight = Array.from({ length: 8 }, (_, index) => index)

type Request = { operationId: string; path: string; body?: unknown }

/** Nothing listens there. */
const newWebhook = { url: 'http://127.0.0.1:9/hook' }

describe('idempotency keys on PostgreSQL', () => {
  let server: PostgresServer
  let proxy: FaultProxy
  let address: string
  let fleet: Fleet
  let stop: ProxiedFleet['stop'] | undefined
  let keys = 0

  before(async () => {
    server = await anyPostgres()
    ;({ proxy, address, fleet, stop } = await startProxiedFleet(server))
  })
  after(() => stop?.())

  /** Sends a request to the first service, whose connections can be cut off, or to the second; checks the response. */
  async function sendOnce(
    service: number,
    { path, body }: Pick<Request, 'path' | 'body'>,
    key?: string,
  ): Promise<Answer> {
    const { status, text, headers } = await ask(`${fleet.baseUrls[service]}${path}`, fleet.key, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const answer = { status, text, headers: Object.fromEntries(headers) }
    checkAnswer('POST', `/v1${path}`, answer)
    return answer
  }

  /** As `sendOnce`, repeated while a busy database refuses it and stores nothing. */
  const send = (...args: Parameters<typeof sendOnce>) => repeatRefused(() => sendOnce(...args))

  async function done(request: Pick<Request, 'path' | 'body'>): Promise<{ id: number }> {
    const { status, text } = await send(1, request)
    assert.ok(status < 300, text)
    return JSON.parse(text)
  }

  const forSale = aPet({ status: 'available' })
  const newKey = () => `key ${++keys}`
  const rows = async (text: string) => (await server.query(text, nameOf(address))).rows
  const countOf = async (table: 'pets' | 'orders') =>
    Number((await rows(`select count(*) as count from ${table}`))[0].count)

  /** One successful request for each operation that takes idempotency keys. */
  async function requests(): Promise<Request[]> {
    const ids = []
    for (const _ of [1, 2]) {
      const pet = await done({ path: '/pets', body: forSale })
      ids.push((await done({ path: '/store/orders', body: { petId: pet.id } })).id)
    }
    await done({ path: `/store/orders/${ids[1]}/ship` })
    const pet = await done({ path: '/pets', body: forSale })
    const { id: webhookId } = await done({ path: '/webhooks', body: newWebhook })
    // Of an event that the webhook does not get by itself.
    const [delivery] = await rows(
      `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, attempts)
      values (${webhookId}, 1, 'key.created', 'failed', ${Date.now()}, '[]') returning id`,
    )
    return [
      { operationId: 'createPet', path: '/pets', body: aPet() },
      {
        operationId: 'batchPets',
        path: '/pets/batch',
        body: { changes: [{ id: pet.id, update: { name: 'Max' } }] },
      },
      { operationId: 'importPets', path: '/pets/import', body: [aPet()] },
      { operationId: 'createCategory', path: '/categories', body: { name: newKey() } },
      { operationId: 'createOrder', path: '/store/orders', body: { petId: pet.id } },
      { operationId: 'shipOrder', path: `/store/orders/${ids[0]}/ship` },
      { operationId: 'deliverOrder', path: `/store/orders/${ids[1]}/deliver` },
      { operationId: 'testWebhook', path: `/webhooks/${webhookId}/test` },
      { operationId: 'replayWebhook', path: `/webhooks/${webhookId}/replay`, body: { after: 0 } },
      {
        operationId: 'retryDelivery',
        path: `/webhooks/${webhookId}/deliveries/${delivery.id}/retry`,
      },
    ]
  }

  itInFull(
    '201 and 200: equal concurrent requests at two processes have one effect, and get the same response',
    async () => {
      for (const request of await requests()) {
        const key = newKey()
        const before = [await countOf('pets'), await countOf('orders')]

        const answers = await Promise.all(eight.map((number) => send(number % 2, request, key)))

        const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')
        assert.equal(replayed.length, eight.length - 1, request.operationId)
        for (const answer of answers) {
          assert.ok(answer.status < 300, answer.text)
          assert.deepEqual(essence(answer), essence(answers[0] as Answer))
        }
        const onePet = [1, 0]
        const creates = { createPet: onePet, importPets: onePet, createOrder: [0, 1] }[
          request.operationId
        ] ?? [0, 0]
        const since = [await countOf('pets'), await countOf('orders')]
        assert.deepEqual(
          since.map((count, index) => count - (before[index] ?? 0)),
          creates,
        )
      }
    },
  )

  it('409: the key of a request that is still running; 201 or 200 as soon as it has ended', async (t) => {
    const withheld = [
      { operationId: 'createKey', path: '/keys', body: { name: 'shop' } },
      { operationId: 'rotateKey', path: '/keys/2/rotate', body: {} },
      { operationId: 'createWebhook', path: '/webhooks', body: newWebhook },
      { operationId: 'rotateWebhookSecret', path: '/webhooks/1/rotate-secret' },
    ]
    await done({ path: '/keys', body: { name: 'rotated' } })
    const all = [...(await requests()), ...withheld]
    const tasks = all.map((request) => ({ request, key: newKey() }))
    const holder = await openSession(t, address)
    await holder.query('begin')
    for (const { request, key } of tasks) await insertClaim(holder, request, key)

    const refused = await Promise.all(tasks.map(({ request, key }) => send(0, request, key)))
    await holder.query('rollback')
    const answers = []
    for (const { request, key } of tasks) answers.push(await send(1, request, key))

    for (const answer of refused) {
      expectError(answer, 409, 'idempotency_key_in_use')
      assert.equal(answer.headers['retry-after'], '1')
    }
    for (const { status, text, headers } of answers) {
      assert.ok(status < 300, text)
      assert.equal(headers['idempotency-replayed'], undefined)
    }
  })

  for (const moment of cases(['answered', 'unsent'] as const, { quickEvery: 2 })) {
    it(`503: a commit that is cut off (${moment}) and repeated with its key places one order`, async () => {
      const { id: petId } = await done({ path: '/pets', body: forSale })
      const request = { path: '/store/orders', body: { petId } }
      const key = newKey()
      const before = await countOf('orders')
      const cuts = proxy.cuts
      proxy.cutAt(/insert into idempotency_keys .*; commit$/s, moment, 1)

      const isStored = moment === 'answered'
      const unknown = await send(0, request, key)
      // The server commits what it has received, though nobody hears of it.
      if (isStored) await until(async () => (await countOf('orders')) > before)
      const after = await countOf('orders')
      const repeated = await untilAnswered(() => sendOnce(0, request, key))
      const byOther = await send(1, request, key)

      expectError(unknown, 503, 'unavailable')
      assert.match(unknown.text, /it is stored or it is not/)
      assert.equal(proxy.cuts, cuts + 1)
      assert.equal(after, before + (isStored ? 1 : 0))
      assert.equal(repeated.status, 201)
      assert.equal(repeated.headers['idempotency-replayed'], isStored ? 'true' : undefined)
      assert.deepEqual(essence(byOther), essence(repeated))
      assert.equal(await countOf('orders'), before + 1)
      const held = await rows(`select reserved from pets where id = ${petId}`)
      assert.equal(Number(held[0].reserved), 1)
    })
  }
})

const nameOf = (database: string) => new URL(database).pathname.slice(1)

/** The first thing that a request with a long expired key does. */
async function insertClaim(
  session: Awaited<ReturnType<typeof openSession>>,
  { operationId }: Request,
  key: string,
): Promise<void> {
  await session.query(
    `insert into idempotency_keys (key_id, operation, key, fingerprint, answer, expires_at)
    values ((select min(id) from keys), $1, $2, $3, '{}', 0)`,
    [operationId, key, Buffer.alloc(32)],
  )
}

/** A request that finds a broken connection is refused; the next one gets another connection. */
function untilAnswered(sendAgain: () => Promise<Answer>): Promise<Answer> {
  return repeatWhile(sendAgain, ({ status }) => status === 503)
}

/** A whole response except what identifies the request and the service. */
function essence({ status, headers, text }: Answer) {
  const { location = '', etag } = headers
  return { status, text, etag, location: location.replace(/^http:\/\/[^/]+/, '') }
}
