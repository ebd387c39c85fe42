import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import {
  PetstoreApiError,
  PetstoreClient,
  PetstoreEventsExpiredError,
} from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { startListening } from '../http/start-listening.ts'
import { take } from './take.ts'

const aPet = { name: 'Rex', categoryId: 7 }

describe('following a store', () => {
  async function start(t: TestContext) {
    const store = await startPetstore()
    t.after(() => store.close())
    return { store, client: new PetstoreClient(store) }
  }

  it('yields events behind a position; the type of one tells what its data is', async (t) => {
    const { client } = await start(t)
    const pet = await client.pets.create({ ...aPet, categoryId: 2n ** 63n - 1n })
    await client.pets.update(pet.id, { name: 'Max' })

    const names: (string | undefined)[] = []
    const types = ['pet.created', 'pet.updated'] as const
    for await (const event of client.events.follow({ after: 0, type: types })) {
      if (event.type === 'pet.created') assert.equal(event.data.categoryId, 2n ** 63n - 1n)
      if (event.type === 'pet.updated') names.push(event.previous?.name, event.data.name)
      if (event.type === 'pet.updated') break
    }

    assert.deepEqual(names, ['Rex', 'Max'])
  })

  it('begins with the next event where no position is given', async (t) => {
    const { client } = await start(t)
    await client.pets.create({ ...aPet, name: 'before' })
    const events = client.events.follow({ type: 'pet.created' })

    const first = events.next()
    // The stream begins some time after the call.
    let isYielded = false
    void first.then(() => (isYielded = true))
    while (!isYielded) await client.pets.create({ ...aPet, name: 'after' })

    const { value } = await first
    assert.ok(value.type === 'pet.created')
    assert.equal(value.data.name, 'after')
    await events.return(undefined as never)
  })

  it('throws an error of its own where events were missed, with the oldest that there is', async (t) => {
    const { client, store } = await start(t)
    await client.pets.create(aPet)
    await client.pets.create(aPet)
    const [first] = (await client.events.list({ limit: 1 })).data
    await store.reset('empty')
    await client.pets.create(aPet)
    const [oldest] = (await client.events.list({ limit: 1 })).data

    const failing = take(client.events.follow({ after: first?.id ?? 0 }), 1)

    await assert.rejects(failing, (error) => {
      assert.ok(error instanceof PetstoreEventsExpiredError)
      assert.ok(error instanceof PetstoreApiError)
      assert.deepEqual([error.status, error.code], [410, 'events_expired'])
      assert.equal(Number(error.oldestId), oldest?.id)
      return true
    })
  })

  it('throws at once where the key is refused', async (t) => {
    const { store } = await start(t)
    const key = await store.issueKey({ revoked: true })
    const client = new PetstoreClient({ ...store, key })

    await assert.rejects(take(client.events.follow(), 1), {
      name: 'PetstoreApiError',
      code: 'revoked_api_key',
      attempts: 1,
    })
  })

  it('waits while the service has too many streams', async () => {
    const service = await startListening({ PETSTORE_STREAMS_MAX: '1' })
    const baseUrl = `http://127.0.0.1:${service.port}/v1`
    const client = new PetstoreClient({ baseUrl, key: service.key, retryDelayMs: 1 })
    await client.pets.create(aPet)
    const other = client.events.follow({ after: 0 })
    await other.next()
    const statuses: number[] = []
    const counting = new PetstoreClient({
      baseUrl,
      key: service.key,
      retryDelayMs: 1,
      async fetch(url, init) {
        const response = await fetch(url, init)
        statuses.push(response.status)
        if (response.status === 503) await other.return(undefined as never)
        return response
      },
    })

    await take(counting.events.follow({ after: 0, type: 'pet.created' }), 1)

    assert.deepEqual([statuses[0], statuses.at(-1)], [503, 200])
  })
})
