import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { PetstoreClient, type PetstoreOptions } from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { itInFull } from '../harness/extent.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { until } from '../harness/until.ts'
import {
  type Fault,
  faults,
  type HttpFaultProxy,
  startHttpFaults,
} from '../processes/http-faults.ts'

describe('retries of the client', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  let proxy: HttpFaultProxy
  let direct: PetstoreClient
  before(async () => {
    store = await startPetstore()
    proxy = await startHttpFaults(store.baseUrl)
    direct = new PetstoreClient({ ...store, onWarning: () => undefined })
  })
  beforeEach(() => {
    proxy.decide = undefined
    proxy.retryAfter = ''
    proxy.seen.length = 0
  })
  after(async () => {
    await proxy.close()
    await store.close()
  })

  const clientOf = (options: PetstoreOptions = {}) =>
    new PetstoreClient({
      key: store.key,
      baseUrl: proxy.baseUrl,
      retryDelayMs: 1,
      onWarning: () => undefined,
      ...options,
    })
  const aPet = { name: 'Rex', categoryId: 7, status: 'available' } as const
  /** The first request fails so; the next ones do not. */
  const failOnce = (fault: Fault) => {
    let isFirst = true
    proxy.seen.length = 0
    proxy.decide = () => {
      const isNow = isFirst
      isFirst = false
      return isNow ? fault : undefined
    }
  }

  it('a create has exactly one effect, whatever happens between', async () => {
    for (const fault of faults) {
      const name = `fault: ${fault}`
      failOnce(fault)

      // A busy machine may need several attempts of this length.
      const client = clientOf(fault === 'hold' ? { timeoutMs: 200, maxRetries: 50 } : {})
      const { data, isReplayed, attempts } = await client.pets
        .create({ ...aPet, name })
        .withResponse()

      assert.deepEqual((await direct.pets.list({ name })).data, [data], fault)
      if (fault === 'hold') assert.ok(attempts >= 2)
      else assert.equal(attempts, fault === 'drip' ? 1 : 2, fault)
      const isDone = ['cut after', 'truncate', 'disown', 'hold'].includes(fault)
      assert.equal(isReplayed, isDone, fault)
      const keys = proxy.seen.map(({ headers }) => headers['idempotency-key'])
      assert.equal(new Set(keys).size, 1)
      assert.match(keys[0] as string, /^[\da-f]{32}$/)
    }
  })

  itInFull(
    'many creates at once over a way that fails at random have one effect each',
    async () => {
      const random = new SeededRandom(7)
      proxy.retryAfter = '0'
      proxy.decide = () => {
        const fault = faults[Math.floor(random.next() * faults.length * 2)]
        return fault === 'hold' ? undefined : fault
      }
      const client = clientOf({ maxRetries: 40 })
      const created = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          client.pets.create({ ...aPet, name: `many ${index}` }),
        ),
      )

      proxy.decide = undefined
      const listed = []
      for await (const pet of direct.pets.list({ name: 'many ' })) listed.push(pet)
      const byId = (a: { id: unknown }, b: { id: unknown }) => Number(a.id) - Number(b.id)
      assert.deepEqual(listed, created.sort(byId))
      assert.ok(proxy.seen.length > 70)
    },
  )

  it('an order is placed, shipped and cancelled once, though the answers are lost', async () => {
    const client = clientOf()
    const { id: petId } = await direct.pets.create(aPet)
    await direct.inventory.update(petId, { quantity: 9 })

    failOnce('cut after')
    const order = await client.orders.create({ petId, quantity: 4 })
    failOnce('disown')
    const shipped = await client.orders.ship(order.id)
    failOnce('cut before')
    const second = await client.orders.create({ petId, quantity: 4 })

    assert.deepEqual((await direct.orders.list({ petId })).data, [shipped, second])
    failOnce('cut before')
    await client.orders.cancel(second.id)
    assert.equal((await direct.orders.get(second.id)).status, 'cancelled')
  })

  it('a pet that an attempt without an answer deleted is deleted', async () => {
    const { id } = await direct.pets.create(aPet)

    failOnce('cut after')
    const { status, attempts } = await clientOf().pets.delete(id).withResponse()

    assert.deepEqual({ status, attempts }, { status: 404, attempts: 2 })
    await assert.rejects(clientOf().pets.delete(id), { code: 'not_found', attempts: 1 })
    failOnce('cut before')
    await assert.rejects(clientOf().orders.cancel(999_999), { code: 'not_found', attempts: 2 })
  })

  it('a change is sent again only where that cannot undo what others changed', async () => {
    const client = clientOf()
    const { data: pet, etag: ifMatch } = await direct.pets.create(aPet).withResponse()

    failOnce('cut after')
    await assert.rejects(client.pets.update(pet.id, { name: 'Max' }), {
      name: 'PetstoreConnectionError',
      attempts: 1,
      isOutcomeUnknown: true,
    })
    assert.equal((await direct.pets.get(pet.id)).name, 'Max')
    failOnce('cut before')
    await assert.rejects(client.pets.update(pet.id, { name: 'Tom' }, { ifMatch }), {
      status: 412,
      attempts: 2,
      isOutcomeUnknown: true,
    })
    assert.equal((await direct.pets.get(pet.id)).name, 'Max')
  })

  it('a service that is not there is asked again, even for a change, and named', async () => {
    const closed = await startHttpFaults(store.baseUrl)
    await closed.close()
    const client = clientOf({ baseUrl: closed.baseUrl, maxRetries: 2 })

    await assert.rejects(client.pets.update(1, { name: 'Max' }), {
      attempts: 3,
      isOutcomeUnknown: false,
      message: /^No answer arrived: .*ECONNREFUSED.* \(updatePet, 3 attempts\)$/,
    })
  })

  it('Retry-After is honoured, and one that is too long is not waited for', async () => {
    failOnce('refuse')
    proxy.retryAfter = '1'
    const startMs = performance.now()
    assert.equal((await clientOf().pets.list()).status, 200)
    assert.ok(performance.now() - startMs >= 990)

    failOnce('refuse')
    proxy.retryAfter = new Date(Date.now() + 7_200_000).toUTCString()
    await assert.rejects(clientOf().pets.create(aPet), {
      status: 503,
      code: undefined,
      attempts: 1,
      isOutcomeUnknown: true,
      message: /^503: something in front of the service answered/,
    })
  })

  it('a key beyond its limit of requests is used again when it may be', async () => {
    const { key } = await direct.keys.create({ name: 'app', rateLimit: 1 })
    await store.clock.freeze()
    await clientOf({ key }).pets.list()
    const once = clientOf({ key, maxRetries: 0 })
    const refusal = { status: 429, code: 'rate_limited', isOutcomeUnknown: false }
    await assert.rejects(once.pets.create(aPet), refusal)
    proxy.seen.length = 0

    const creating = clientOf({ key }).pets.create(aPet).withResponse()
    await until(() => proxy.seen.length >= 2)
    await store.clock.unfreeze()
    await store.clock.advance(1_000)

    assert.ok((await creating).attempts >= 2)
  })

  it('retries end, and what is refused for good is not repeated', async () => {
    proxy.decide = () => 'cut before'
    await assert.rejects(clientOf({ maxRetries: 3 }).pets.list(), { attempts: 4 })
    assert.equal(proxy.seen.length, 4)

    proxy.decide = undefined
    proxy.seen.length = 0
    await assert.rejects(clientOf({ key: 'pet_test_x' }).pets.list(), { status: 401 })
    await assert.rejects(clientOf().orders.create({ petId: 999_999 }), { code: 'not_found' })
    assert.equal(proxy.seen.length, 2)
  })
})
