import assert from 'node:assert/strict'
import { dataOf, expectError } from './expect.ts'
import type { AnyCall, Client, Order, Pet } from './shapes.ts'

type Subject = {
  /** A client of the service at this address, or at the first server that the document names. */
  createClient(key: string, baseUrl: string): Client | Promise<Client>
  /** Checks a body before sending it, and throws. */
  refusesBadBodies: boolean
  /** What happens to 9007199254740993, which no double can hold. */
  int64: 'rounded' | 'refused'
}

const beyondDoubles = '9007199254740993'

/** Arguments when run as a program: the address of an empty store and its key. */
export async function runScenario(subject: Subject) {
  const [baseUrl = '', key = ''] = process.argv.slice(2)
  console.log(await useEveryOperation(subject, { baseUrl, key }))
}

/**
 * Sells pets of an empty store through a client, using every operation that the document lists but those of keys and of
 * webhooks. Returns how much was called; throws when a response is not what the interface says.
 */
export async function useEveryOperation(
  { createClient, refusesBadBodies, int64 }: Subject,
  { baseUrl, key }: { baseUrl: string; key: string },
): Promise<string> {
  const called = new Map<string, number>()
  const client = countCalls(await createClient(key, baseUrl), called)

  const operations = await readService(client)
  const categoryId = await keepCategories(client)
  const pets = await keepPets(client, categoryId)
  await followPages(client, pets)
  await readEvents(client, await sell(client, pets[0]), pets[0])
  await keepInventory(client, pets[1])
  await moveFiles(client, pets[2])
  await meetErrors(client, await createClient('pet_test_nobody', baseUrl))
  await sendBadBody(client, refusesBadBodies)
  assert.equal(await readBeyondDoubles(client, baseUrl, key), int64, 'what becomes of an int64')

  assert.deepEqual([...called.keys()].sort(), operations, 'the operations that were called')
  const count = [...called.values()].reduce((sum, one) => sum + one, 0)
  return `${count} calls of ${called.size} operations`
}

function countCalls(client: Client, called: Map<string, number>): Client {
  const entries = Object.entries(client) as [string, (call: AnyCall) => Promise<unknown>][]
  const counted = entries.map(([name, operation]) => [
    name,
    (call: AnyCall) => {
      called.set(name, (called.get(name) ?? 0) + 1)
      return operation(call)
    },
  ])
  return Object.fromEntries(counted)
}

/** Returns the operationIds that the document lists. */
async function readService(client: Client): Promise<string[]> {
  assert.deepEqual(dataOf(await client.getLiveness(), 200), { status: 'live' })
  assert.deepEqual(dataOf(await client.getReadiness(), 200), { status: 'ready' })
  assert.equal((dataOf(await client.getWorkflows(), 200) as { arazzo: string }).arazzo, '1.0.1')
  const { paths } = dataOf(await client.getDocument(), 200) as {
    paths: Record<string, Record<string, { operationId?: string }>>
  }
  // Not what is managed, nor what is for people.
  const others = /^\/(?:keys|webhooks|\.)/
  const sales = Object.entries(paths).filter(([path]) => !others.test(path))
  const operations = sales.flatMap(([, item]) => Object.values(item))
  return operations.flatMap(({ operationId }) => operationId ?? []).sort()
}

async function keepCategories(client: Client): Promise<number> {
  const body = { name: 'Dogs', description: 'Everything that barks.' }
  const category = dataOf(await client.createCategory({ body }), 201)
  assert.deepEqual(category, { id: category.id, ...body })
  assert.deepEqual(dataOf(await client.listCategories({ query: { name: 'dog' } }), 200), [category])
  const path = { categoryId: category.id }
  const known = await client.getCategory({ path })
  assert.deepEqual(dataOf(known, 200), category)
  expectError(await client.createCategory({ body }), 409, 'category_exists')

  const header = { 'If-Match': known.headers.get('etag') ?? '' }
  const change = { name: 'Hounds', description: null }
  const renamed = { id: category.id, name: 'Hounds' }
  assert.deepEqual(
    dataOf(await client.updateCategory({ path, body: change, header }), 200),
    renamed,
  )
  expectError(await client.deleteCategory({ path, header }), 412, 'precondition_failed')
  const second = dataOf(await client.createCategory({ body }), 201)
  const secondPath = { categoryId: second.id }
  assert.equal((await client.deleteCategory({ path: secondPath })).status, 204)
  expectError(await client.getCategory({ path: secondPath }), 404, 'not_found')
  return category.id
}

/** Creates three pets; the third has no status. */
async function keepPets(client: Client, categoryId: number): Promise<[Pet, Pet, Pet]> {
  const rex = await createPet(client, { name: 'Rex', categoryId, status: 'available' }, 'rex-1')
  const tom = await createPet(client, { name: 'Tom', categoryId, status: 'available' })
  const ada = await createPet(client, { name: 'Ada 🐕', categoryId })

  const path = { petId: ada.id }
  const known = await client.getPet({ path })
  assert.deepEqual(dataOf(known, 200), ada)
  const etag = known.headers.get('etag') ?? ''
  const again = await client.getPet({ path, header: { 'If-None-Match': etag } })
  assert.equal(again.status, 304)

  const renamed = await client.updatePet({
    path,
    body: { name: 'Ida' },
    header: { 'If-Match': etag },
  })
  assert.deepEqual(dataOf(renamed, 200), { ...ada, name: 'Ida' })
  const late = await client.updatePet({ path, body: { name: 'Eda' }, header: { 'If-Match': etag } })
  expectError(late, 412, 'precondition_failed')
  return [rex, tom, { ...ada, name: 'Ida' }]
}

async function createPet(client: Client, body: Omit<Pet, 'id'>, key?: string): Promise<Pet> {
  const call = { body, ...(key !== undefined && { header: { 'Idempotency-Key': key } }) }
  const first = await client.createPet(call)
  const pet = dataOf(first, 201)
  assert.deepEqual(pet, { id: pet.id, ...body })
  assert.match(first.headers.get('location') ?? '', new RegExp(`/v1/pets/${pet.id}$`))
  if (key === undefined) return pet

  const second = await client.createPet(call)
  assert.deepEqual(dataOf(second, 201), pet)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  const other = await client.createPet({ ...call, body: { ...body, name: 'Max' } })
  expectError(other, 422, 'idempotency_key_reused')
  return pet
}

async function followPages(client: Client, pets: Pet[]) {
  assert.deepEqual(await walkByLinks(client, pets.length), pets)
  assert.deepEqual(await walkByIds(client, pets.length), pets)

  const others = pets.slice(1)
  const chosen = { id: others.map(({ id }) => id), sort: '-id' } as const
  assert.deepEqual(dataOf(await client.listPets({ query: chosen }), 200), others.reverse())
  const counted = await client.listPets({
    query: { status: 'available' },
    header: { Prefer: 'count=exact' },
  })
  assert.equal(counted.headers.get('x-total-count'), String(dataOf(counted, 200).length))
}

async function walkByLinks(client: Client, countMax: number): Promise<Pet[]> {
  const walked: Pet[] = []
  let query: { limit: number; cursor?: string } | undefined = { limit: 2 }
  while (query !== undefined) {
    const page = await client.listPets({ query })
    walked.push(...dataOf(page, 200))
    const next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    const cursor = next && new URL(next).searchParams.get('cursor')
    query = cursor ? { limit: 2, cursor } : undefined
    assert.ok(walked.length <= countMax, 'the pages end')
  }
  return walked
}

/** Without reading any header. */
async function walkByIds(client: Client, countMax: number): Promise<Pet[]> {
  const walked: Pet[] = []
  for (let last: Pet | undefined, isLast = false; !isLast; last = walked.at(-1)) {
    const query = { limit: 2, ...(last && { after: last.id }) }
    const page = dataOf(await client.listPets({ query }), 200)
    walked.push(...page)
    isLast = page.length < 2
    assert.ok(walked.length <= countMax, 'the pages end')
  }
  return walked
}

async function sell(client: Client, { id: petId }: Pet) {
  const body = { petId, quantity: 1, reference: 'window 3' }
  const order = dataOf(await client.createOrder({ body }), 201)
  const { id, createdAt } = order
  const placed = { id, ...body, status: 'pending', complete: false, createdAt }
  assert.deepEqual(order, placed)
  assert.equal(new Date(createdAt).toISOString(), createdAt)
  const path = { orderId: id }
  assert.deepEqual(dataOf(await client.getOrder({ path }), 200), placed)
  for (const query of [{ petId }, { id: [id] }, { reference: body.reference }]) {
    assert.deepEqual(dataOf(await client.listOrders({ query }), 200), [placed])
  }
  assert.equal((await findPet(client, petId))?.status, 'pending')
  expectError(await client.createOrder({ body }), 409, 'pet_not_available')

  const shipped = dataOf(await client.shipOrder({ path }), 200)
  assert.deepEqual(shipped, { ...placed, status: 'shipped', shipDate: shipped.shipDate })
  expectError(await client.cancelOrder({ path }), 409, 'order_not_cancellable')
  const delivered = dataOf(await client.deliverOrder({ path }), 200)
  assert.deepEqual(delivered, { ...shipped, status: 'delivered', complete: true })
  expectError(await client.shipOrder({ path }), 409, 'invalid_transition')
  assert.equal((await findPet(client, petId))?.status, 'sold')
  return delivered
}

async function readEvents(client: Client, order: Order, { name }: Pet) {
  const events = dataOf(await client.listEvents({ query: { orderId: order.id } }), 200)
  const types = ['order.placed', 'order.shipped', 'order.delivered']
  assert.deepEqual(
    events.map(({ type }) => type),
    types,
  )
  for (const event of events) {
    assert.deepEqual(dataOf(await client.getEvent({ path: { eventId: event.id } }), 200), event)
    if (event.type !== 'order.delivered') continue
    assert.deepEqual(event.data, order)
    assert.equal(event.previous?.status, 'shipped')
  }
  const query = { petId: order.petId, type: ['pet.created' as const] }
  const [created] = dataOf(await client.listEvents({ query }), 200)
  assert.ok(created?.type === 'pet.created')
  assert.equal(created.data.name, name)
}

async function findPet(client: Client, id: number): Promise<Pet | undefined> {
  const [pet, ...others] = dataOf(await client.listPets({ query: { id: [id] } }), 200)
  assert.equal(others.length, 0)
  return pet
}

async function keepInventory(client: Client, { id: petId }: Pet) {
  const path = { petId }
  const item = { petId, quantity: 3, status: 'available' }
  const etag = (await client.getInventory({ path })).headers.get('etag') ?? ''
  const count = { path, body: { quantity: 3 }, header: { 'If-Match': etag } }
  assert.deepEqual(dataOf(await client.updateInventory(count), 200), item)
  expectError(await client.updateInventory(count), 412, 'precondition_failed')
  assert.deepEqual(dataOf(await client.getInventory({ path }), 200), item)
  assert.deepEqual(dataOf(await client.listInventory({ query: { petId: [petId] } }), 200), [item])

  const { id, quantity } = dataOf(await client.createOrder({ body: { petId } }), 201)
  assert.equal(quantity, 1, 'an order without a quantity is for one')
  expectError(await client.deletePet({ path }), 409, 'pet_in_open_order')
  const cancelled = await client.cancelOrder({ path: { orderId: id } })
  assert.equal(cancelled.status, 204)
  assert.equal((await client.deletePet({ path })).status, 204)
  assert.equal(await findPet(client, petId), undefined)
}

/** Changes several pets, takes them from a file and puts them into one. */
async function moveFiles(client: Client, { id, name, categoryId }: Pet) {
  const changes = [
    { id, update: { status: 'available' as const } },
    { id: 999_999, delete: true as const },
  ]
  const { results } = dataOf(await client.batchPets({ body: { changes } }), 200)
  assert.deepEqual(results[0]?.pet, { id, name, categoryId, status: 'available' })
  assert.deepEqual([results[1]?.status, results[1]?.error?.code], [404, 'not_found'])

  const file = `name,categoryId\nMia,${categoryId}\nMax,none\n`
  const header = { 'Idempotency-Key': 'mia-1' }
  const report = await client.importPets({ body: file, query: { onError: 'skip' }, header })
  const { rows, created, updated, refused } = dataOf(report, 200)
  assert.deepEqual([rows, created, updated, refused], [2, 1, 0, 1])
  const progress = await client.getImport({ query: { idempotencyKey: 'mia-1' } })
  assert.equal(dataOf(progress, 200).created, 1)

  assert.match(dataOf(await client.exportPets(), 200), /^\d+,Mia,\d+,\r?$/m)
  assert.match(dataOf(await client.exportOrders(), 200), /,window 3\r?$/m)
  assert.match(dataOf(await client.exportInventory(), 200), /^petId,/)
}

async function meetErrors(client: Client, stranger: Client) {
  expectError(await client.getPet({ path: { petId: 999_999 } }), 404, 'not_found')
  expectError(await client.getOrder({ path: { orderId: 999_999 } }), 404, 'not_found')
  expectError(await client.listPets({ query: { cursor: 'nonsense' } }), 400, 'invalid_cursor')
  expectError(await client.createOrder({ body: { petId: 999_999 } }), 404, 'not_found')
  expectError(await stranger.listPets({}), 401, 'invalid_api_key')
}

/** Names of white space alone are refused. */
async function sendBadBody(client: Client, isRefused: boolean) {
  const sent = client.createPet({ body: { name: ' ', categoryId: 1 } })
  if (isRefused) await assert.rejects(sent, /name/)
  else expectError(await sent, 400, 'invalid_body')
}

async function readBeyondDoubles(client: Client, baseUrl: string, key: string) {
  const response = await fetch(`${baseUrl}/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: `{"name":"Zoe","categoryId":${beyondDoubles}}`,
  })
  const { id } = (await response.json()) as Pet
  const pet = await findPet(client, id).catch(() => undefined)
  if (pet === undefined) return 'refused'
  return String(pet.categoryId) === beyondDoubles ? 'kept' : 'rounded'
}
