import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import {
  PetstoreApiError,
  PetstoreClient,
  PetstoreConfigurationError,
  PetstoreConnectionError,
  type PetstoreOptions,
  PetstoreTimeoutError,
} from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'

describe('the client', () => {
  const first = 2n ** 53n - 3n
  let store: Awaited<ReturnType<typeof startPetstore>>
  let client: PetstoreClient
  before(async () => {
    store = await startPetstore({ firstId: first })
    client = clientOf()
  })
  after(() => store.close())

  const clientOf = (options: PetstoreOptions = {}) =>
    new PetstoreClient({ ...store, onWarning: () => undefined, ...options })
  const aPet = { name: 'Rex', categoryId: 7, status: 'available' } as const

  it('gives an id as a number where that is safe, else as a bigint, so that === and Map keys hold', async () => {
    const pets = []
    for (let count = 0; count < 4; count++) {
      pets.push(await client.pets.create({ ...aPet, categoryId: 2n ** 63n - 1n }))
    }

    const kinds = new Set(pets.map(({ id }) => typeof id))
    assert.ok(kinds.has('bigint'), 'ids go beyond 2^53')
    for (const { id, categoryId } of pets) {
      assert.equal(typeof id === 'number', Number.isSafeInteger(Number(id)), String(id))
      assert.equal(categoryId, 9223372036854775807n)
    }
    const listed = (await client.pets.list({ id: pets.map(({ id }) => id) })).data
    const byId = new Map(listed.map((pet) => [pet.id, pet]))
    for (const pet of pets) assert.deepEqual(byId.get(pet.id), pet)
    assert.deepEqual(await client.pets.get(BigInt(pets[0]?.id ?? 0)), pets[0])
  })

  it('sends no integer that may have been rounded, and no empty list of ids', async () => {
    const sent: string[] = []
    const spied = clientOf({ fetch: (url) => Promise.reject(sent.push(String(url))) })

    await assert.rejects(spied.pets.get(2 ** 53), RangeError)
    await assert.rejects(spied.pets.create({ name: 'Rex', categoryId: 2 ** 60 }), RangeError)
    await assert.rejects(spied.pets.list({ id: [1, 1.5] }), RangeError)
    await assert.rejects(spied.pets.list({ id: [] }), RangeError)
    assert.deepEqual(sent, [])
  })

  it('walks pages, and says how many records match', async () => {
    const { id: last } = await client.pets.create({ ...aPet, name: 'before the walk' })
    const names = Array.from({ length: 5 }, (_, index) => `walked ${index}`)
    for (const name of names) await client.pets.create({ ...aPet, name })
    const query = { status: 'available', after: last, limit: 2 } as const

    const walked = []
    for await (const pet of client.pets.list(query)) walked.push(pet.name)
    assert.deepEqual(walked, names)
    const page = await client.pets.list(query, { count: true })
    assert.equal(
      page.total,
      (await client.pets.list({ status: 'available' }, { count: true })).total,
    )
    assert.deepEqual(
      page.data.map(({ name }) => name),
      names.slice(0, 2),
    )
    assert.deepEqual(
      (await page.next())?.data.map(({ name }) => name),
      names.slice(2, 4),
    )
    const rest = []
    for await (const pet of page) rest.push(pet.name)
    assert.deepEqual(rest, names)
    const sizes = []
    for await (const { data, nextCursor } of client.pets.list(query).pages()) {
      sizes.push(data.length)
      assert.equal(nextCursor === undefined, data.length < 2)
    }
    assert.deepEqual(sizes, [2, 2, 1])
  })

  it('refuses a filter that the service does not know, rather than list all records', async () => {
    const typo = { stauts: 'sold' } as { status?: 'sold' }

    await assert.rejects(client.pets.list(typo), { code: 'invalid_parameter', message: /stauts/ })
    const lenient = clientOf({ headers: { Prefer: 'handling=lenient' } })
    assert.ok((await lenient.pets.list(typo)).data.length > 0)
    const unknown = { name: 'Max', age: 7 } as { name: string }
    const { id } = await client.pets.create(aPet)
    assert.equal((await client.pets.update(id, unknown)).name, 'Max')
  })

  it('says what the key may do where it is asked, and in the error of a 403', async () => {
    const key = await store.issueKey({ scopes: ['pets:read', 'orders:read'] })
    const limited = clientOf({ key })
    const scopes = ['pets:read', 'orders:read']

    assert.deepEqual((await limited.pets.list({ limit: 1 }, { scopes: true })).scopes, scopes)
    assert.equal((await limited.pets.list({ limit: 1 })).scopes, undefined)
    await assert.rejects(limited.pets.create(aPet), { status: 403, scopes })
    const { id } = await client.pets.create(aPet)
    const got = await limited.pets.get(id, { scopes: true }).withResponse()
    assert.deepEqual(got.scopes, scopes)
  })

  it('throws an error with code, status, request id and pointers', async () => {
    const error = await client.pets.create({ name: '', categoryId: 7 }).catch((thrown) => thrown)

    assert.ok(error instanceof PetstoreApiError)
    const { code, status, requestId, problems, attempts, operation, isOutcomeUnknown } = error
    assert.deepEqual({ code, status, attempts }, { code: 'invalid_body', status: 400, attempts: 1 })
    assert.deepEqual(
      { operation, isOutcomeUnknown },
      { operation: 'createPet', isOutcomeUnknown: false },
    )
    assert.equal(problems[0]?.pointer, '/name')
    assert.match(error.message, /^400 invalid_body: name must be .*\(createPet, request \S+\)$/)
    assert.ok(requestId && error.message.includes(requestId))
    await assert.rejects(client.pets.list({ limit: 101 }), (refused: PetstoreApiError) => {
      assert.equal(refused.problems[0]?.parameter, 'limit')
      return true
    })
  })

  it('changes a pet only as it was read, with ifMatch', async () => {
    const { data: pet, etag } = await client.pets.create(aPet).withResponse()
    const ifMatch = etag ?? ''

    assert.equal((await client.pets.update(pet.id, { name: 'Max' }, { ifMatch })).name, 'Max')
    await assert.rejects(client.pets.update(pet.id, { name: 'Tom' }, { ifMatch }), {
      code: 'precondition_failed',
      isOutcomeUnknown: false,
    })
    await assert.rejects(client.pets.delete(pet.id, { ifMatch }), { status: 412 })
  })

  it('explains a key of the other environment, or none, before anything is sent', async () => {
    const sent: string[] = []
    const options = {
      fetch: (url: unknown) => Promise.reject(sent.push(String(url))),
      onWarning: () => undefined,
    }
    const live = { key: 'pet_live_x' }
    const staging = 'https://pets-staging.example/v1'

    assert.throws(
      () => new PetstoreClient({ ...options, ...live, environment: 'staging' }),
      /begins with pet_live_, so it is one of production, and \S+ is staging/,
    )
    assert.throws(
      () => new PetstoreClient({ ...live, baseUrl: staging }),
      PetstoreConfigurationError,
    )
    for (const key of ['pet_test_x\n', 'pet test']) {
      assert.throws(
        () => new PetstoreClient({ key }),
        (error: Error) => !error.message.includes(key),
      )
    }
    for (const baseUrl of ['petstore', 'ftp://a/v1', 'http://a/v1?key=1']) {
      assert.throws(() => new PetstoreClient({ baseUrl }), PetstoreConfigurationError)
    }
    const late = new PetstoreClient({
      ...options,
      environment: 'production',
      key: () => 'pet_test_x',
    })
    const lateOnThisMachine = new PetstoreClient({ ...options, key: () => 'pet_test_x' })
    await assert.rejects(lateOnThisMachine.pets.create(aPet), PetstoreConfigurationError)
    await assert.rejects(late.pets.create(aPet), PetstoreConfigurationError)
    await assert.rejects(new PetstoreClient(options).pets.create(aPet), /needs an API key/)
    assert.deepEqual(sent, [])
    new PetstoreClient({ ...live, baseUrl: 'https://pets.example/v1' })
    new PetstoreClient({ ...live, baseUrl: staging, environment: 'production' })
    await assert.rejects(
      new PetstoreClient({ ...options, key: 'pet_test_x', maxRetries: 0 }).orders.list(),
    )
    assert.match(sent[0] ?? '', /:8081\/v1\/store\/orders$/)
  })

  it('sends requests to the base address alone, whatever a response names', async (t) => {
    const sent: string[] = []
    const server = createServer(({ url = '' }, response) => {
      sent.push(url)
      if (url.includes('cursor=')) response.writeHead(308, { location: `${store.baseUrl}/pets` })
      else response.setHeader('link', `<${store.baseUrl}/pets?cursor=next>; rel="next"`)
      response.end('[]')
    })
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const known = (await store.requests()).length

    const page = await clientOf({ baseUrl }).pets.list()
    await assert.rejects(
      page.next(),
      /308: the base address redirects to .*\/pets: use the address/,
    )

    assert.deepEqual(sent, ['/v1/pets', '/v1/pets?cursor=next'])
    assert.equal((await store.requests()).length, known)
  })

  it('warns of a deprecated operation once in a process, with its date', async () => {
    const { id } = await client.pets.create(aPet)
    const warnings: string[] = []
    Reflect.deleteProperty(globalThis, Symbol.for('petstore-client.warned'))

    for (let count = 0; count < 2; count++) {
      await clientOf({ onWarning: (message) => warnings.push(message) }).pets.get(id)
    }

    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /getPet is deprecated and will be removed on 2030-12-05\. Use /)
  })

  it('aborts with the reason of the signal, and sends nothing after', async () => {
    const controller = new AbortController()
    const reason = new Error('The user left the page.')
    let attempts = 0
    const failing = clientOf({
      retryDelayMs: 60_000,
      fetch: () => {
        attempts += 1
        return Promise.reject(new TypeError('cut'))
      },
    })
    const call = failing.pets.create(aPet, { signal: controller.signal })
    setImmediate(() => controller.abort(reason))

    await assert.rejects(call, reason)
    assert.ok(attempts <= 1)
    const options = { signal: AbortSignal.abort(reason) }
    await assert.rejects(client.pets.list({}, options), reason)
  })

  it('gives up after its time, and says so', async () => {
    const never = clientOf({
      maxRetries: 1,
      retryDelayMs: 1,
      timeoutMs: 5,
      fetch: (_url, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    })

    const error = await never.pets.create(aPet).catch((thrown) => thrown)
    assert.ok(error instanceof PetstoreTimeoutError && error instanceof PetstoreConnectionError)
    assert.equal(error.attempts, 2)
    assert.ok(error.isOutcomeUnknown && error.idempotencyKey)
    assert.match(error.message, /No answer arrived within 5 ms \(createPet, 2 attempts\)/)
  })

  it('sends nothing with an id that would change the path, or a header that cannot be sent', async () => {
    const sent: unknown[] = []
    const spied = clientOf({ fetch: (url) => Promise.reject(sent.push(url)) })

    for (const id of ['', '.', '..'] as unknown as number[]) {
      await assert.rejects(spied.orders.ship(id), RangeError)
    }
    const injected = spied.pets.create(aPet, { idempotencyKey: 'a\r\nX-Other: b' })
    await assert.rejects(injected, PetstoreConfigurationError)
    assert.deepEqual(sent, [])
  })

  it('takes JSON that is no record or list for what it is: not the answer of the service', async () => {
    const answers = (body: string, headers = {}) =>
      clientOf({ maxRetries: 0, fetch: async () => new Response(body, { headers }) })

    for (const body of ['null', '{}', '"x"', '1']) {
      await assert.rejects(answers(body).pets.list({}), PetstoreConnectionError)
    }
    for (const body of ['null', '"x"', '1']) {
      await assert.rejects(answers(body).pets.create(aPet), PetstoreConnectionError)
    }
  })
})
