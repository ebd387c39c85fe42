import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PetstoreClient } from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'

describe('the methods of the client', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  let client: PetstoreClient
  before(async () => {
    store = await startPetstore()
    client = new PetstoreClient({ ...store, onWarning: () => undefined })
  })
  after(() => store.close())

  const aPet = { name: 'Rex', categoryId: 7, status: 'available' } as const

  it('gives a file while it arrives, in the format that is asked for', async () => {
    const { id } = await client.pets.create({ name: '=Rex', categoryId: 7 })
    const csv = await client.pets.export({ id })
    assert.match(csv.headers.get('content-disposition') ?? '', /filename="pets-.+\.csv"/)
    const chunks = await Array.fromAsync(csv.body as AsyncIterable<Uint8Array>)
    assert.equal(
      String(Buffer.concat(chunks)),
      `id,name,category,categoryId,status,description,price,currency,bornOn,sex,tags\r\n${id},'=Rex,,7,,,,,,,\r\n`,
    )

    const orders = await client.orders.export({ petId: id }, { format: 'ndjson' })
    assert.deepEqual(
      [orders.headers.get('content-type'), await orders.text()],
      ['application/x-ndjson', ''],
    )
    const leaving = new AbortController()
    const inventory = await client.inventory.export({}, { signal: leaving.signal })
    leaving.abort(new Error('enough'))
    await assert.rejects(inventory.text())
    await assert.rejects(client.pets.export({ status: 'new' as 'sold' }), {
      code: 'invalid_parameter',
    })
    await client.pets.delete(id)
  })

  it('gives what the service answers', async () => {
    const category = await client.categories.create({ name: 'Geckos' })
    assert.deepEqual(await client.categories.get(category.id), category)
    const {
      data: pet,
      status,
      etag,
      requestId,
    } = await client.pets.create({ ...aPet, categoryId: category.id }).withResponse()
    assert.equal(status, 201)
    assert.ok(requestId)
    const read = await client.pets.get(pet.id, { ifNoneMatch: '"other"' }).withResponse()
    assert.deepEqual(read.data, pet)
    assert.equal(read.etag, etag)
    assert.equal(await client.pets.get(pet.id, { ifNoneMatch: etag ?? '' }), undefined)

    const { data: found, etag: current } = await client.pets.list({ id: pet.id })
    assert.deepEqual({ found, current }, { found: [pet], current: etag })

    const order = await client.orders.create({ petId: pet.id })
    assert.equal(order.petId, pet.id)
    assert.equal((await client.orders.ship(order.id)).status, 'shipped')
    assert.equal((await client.orders.deliver(order.id)).complete, true)
    assert.equal((await client.orders.get(order.id)).status, 'delivered')
    const counted = await client.inventory.update(pet.id, { quantity: 2 })
    assert.deepEqual(counted, { petId: pet.id, quantity: 2, status: 'available' })
    assert.deepEqual(await client.inventory.get(pet.id), counted)
    const { etag: ifMatch = '' } = await client.inventory.get(pet.id).withResponse()
    assert.equal(await client.inventory.get(pet.id, { ifNoneMatch: ifMatch }), undefined)
    await client.inventory.update(pet.id, { quantity: 3 }, { ifMatch })
    const second = await client.orders.create({ petId: pet.id, reference: 'Web shop' })
    assert.equal(await client.orders.cancel(second.id), undefined)
    const changed = await client.pets.update(pet.id, { name: 'Max' })
    assert.deepEqual(changed, { ...pet, name: 'Max' })
    const { results } = await client.pets.batch({
      changes: [
        { id: pet.id, update: { name: 'Tim' } },
        { id: 9_999, delete: true },
      ],
    })
    assert.deepEqual(
      results.map(({ status, error }) => [status, error?.code]),
      [
        [200, undefined],
        [404, 'not_found'],
      ],
    )
    assert.equal(await client.pets.delete(pet.id), undefined)

    assert.deepEqual((await client.inventory.list()).data, [])
    assert.deepEqual((await client.categories.list({ name: 'GECK' })).data, [category])
    const described = await client.categories.update(category.id, { description: 'With papers.' })
    assert.deepEqual(described, { ...category, description: 'With papers.' })
    const bare = await client.categories.update(category.id, { description: null })
    assert.deepEqual(bare, category)
    assert.equal(await client.categories.delete(category.id), undefined)
    assert.equal((await client.orders.list({ petId: pet.id })).data.length, 2)
    await assert.rejects(client.categories.get(category.id), { code: 'not_found' })
    const ordered = await client.orders.list({ id: [order.id, second.id], reference: 'Web shop' })
    assert.deepEqual(
      ordered.data.map(({ id }) => id),
      [second.id],
    )
    const open = new PetstoreClient({ baseUrl: store.baseUrl })
    assert.deepEqual(await open.service.getLiveness(), { status: 'live' })
    assert.deepEqual(await open.service.getReadiness(), { status: 'ready' })
    assert.match((await open.service.getDocument()).openapi, /^3\.1/)
  })

  it('has a method for every operation of the document, and no other', async () => {
    const sent: string[] = []
    const spied = new PetstoreClient({
      key: store.key,
      baseUrl: 'http://petstore.test/v1',
      maxRetries: 0,
      fetch: (url, init) => Promise.reject(sent.push(`${init?.method} ${url}`)),
    })
    const resources = Object.values(spied).flatMap((one) => [one, ...Object.values(one as object)])
    for (const resource of resources) {
      // A stream is at the path of its list.
      const {
        constructor: _constructor,
        follow: _follow,
        ...methods
      } = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(resource))
      for (const { value: method } of Object.values(methods)) {
        await method.apply(resource, Array(method.length).fill(7)).catch(() => undefined)
      }
    }

    const { paths } = (await client.service.getDocument()) as unknown as {
      paths: Record<string, object>
    }
    // The client has no method for a file that is not JSON, and sends a photo without a form.
    delete paths['/.well-known/security.txt']
    delete (paths['/pets/{petId}/photo'] as { post?: object }).post
    const declared = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          `${method.toUpperCase()} http://petstore.test/v1${path.replace(/\{\w+\}/g, '7')}`,
      ),
    )
    assert.ok(declared.length > 15)
    assert.deepEqual(sent.sort(), declared.sort())
  })
})
