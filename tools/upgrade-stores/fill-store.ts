import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from './program.ts'
import type { StoreDatabase } from './store-database.ts'
import type { Claim, StoreListing } from './stores.ts'

type Contents = Pick<StoreListing, 'keys' | 'reads' | 'lastIds' | 'claims'>

/** Names that engines fold in their own way, of one character, and of astral ones. */
const names = ['Rex', 'ÄFFCHEN', 'Straße', 'ΟΔΟΣ', 'İstanbul', `D'or_100% "\\" $1`, '🐕 Bo', 'a']
/** As long as a name may be. */
const longestName = '𝒳'.repeat(1_000)
const statuses = ['available', 'pending', 'sold', undefined]
const hourMs = 3_600_000

/** A PNG of one point. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Beyond these ids a double loses digits, and the last thousand ids begin. */
const jumps = [2n ** 53n - 2n, 2n ** 63n - 1_001n]

/**
 * Fills an empty store through the program, by its commands and over HTTP, and returns what is in it then.
 */
export async function fillStore(program: Program, database: StoreDatabase): Promise<Contents> {
  const env = { PETSTORE_DATABASE: database.address, PETSTORE_WEBHOOK_HOSTS: '127.0.0.1' }
  // The first start creates the store, and its first key.
  await (await program.serve(env)).stop()
  const keys = await createKeys(program, env)
  const serve = async <T>(work: (ask: Ask) => Promise<T>, holdMs?: number): Promise<T> => {
    const hold = holdMs === undefined ? {} : { PETSTORE_ORDER_HOLD_MS: String(holdMs) }
    const service = await program.serve({ ...env, ...hold })
    try {
      return await work(askerOf(service.baseUrl, keys.full ?? ''))
    } finally {
      await service.stop()
    }
  }

  const claims = await serve(async (ask) => {
    await changeKeys(ask, keys)
    await createPets(ask)
    return sell(ask)
  })
  await serve(expireOrder, 1)
  await database.assignFrom('pets', jumps[0] ?? 0n)
  await serve(async (ask) => {
    for (const status of ['available', 'sold', undefined]) await createPet(ask, 'Far', status)
  })
  await database.assignFrom('pets', jumps[1] ?? 0n)
  return serve(async (ask) => {
    const { id } = await createPet(ask, 'Farther', 'available')
    const order = await ask('POST', '/store/orders', `{"petId":${id},"reference":"held"}`)
    const deleted = await createPet(ask, 'Gone', 'sold')
    await ask('DELETE', `/pets/${deleted.id}`)
    const lastIds = { pets: deleted.id, orders: idIn(order) }
    return { keys, claims, lastIds, reads: await readAll(ask) }
  }, hourMs)
}

async function createKeys(
  program: Program,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  const options = {
    full: ['default', 'keys:manage', 'webhooks:manage'].flatMap((scope) => ['--scope', scope]),
    reader: ['--scope', 'pets:read'],
    guest: ['--valid-days', '1'],
    revoked: [],
  }
  const keys: Record<string, string> = {}
  for (const [name, more] of Object.entries(options)) {
    const { code, stdout } = await program.run(['keys', 'create', '--name', name, ...more], env)
    if (code !== 0) throw new Error(`The key ${name} was not created.`)
    keys[name] = stdout.trim()
  }
  return keys
}

/** Revokes the last key, and rotates that of the reader. */
async function changeKeys(ask: Ask, keys: Record<string, string>): Promise<void> {
  await ask('DELETE', '/keys/5')
  const { key } = JSON.parse(await ask('POST', '/keys/3/rotate', '{}')) as { key: string }
  Object.assign(keys, { replaced: keys.reader, reader: key })
}

type Ask = (
  method: string,
  path: string,
  body?: string | Buffer<ArrayBuffer>,
  headers?: Record<string, string>,
) => Promise<string>

/** Sends requests; throws unless they succeed. */
function askerOf(baseUrl: string, key: string): Ask {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text
  }
}

/** The id of a record, with all its digits. */
function idIn(text: string): string {
  return /"id":(\d+)/.exec(text)?.[1] ?? ''
}

async function createPet(ask: Ask, name: string, status: string | undefined) {
  return { id: idIn(await ask('POST', '/pets', JSON.stringify({ name, categoryId: 7, status }))) }
}

async function createPets(ask: Ask): Promise<void> {
  for (const name of names) for (const status of statuses) await createPet(ask, name, status)
  await createPet(ask, longestName, 'available')
}

/** Details, a photo, a webhook, orders in every state but expired, stock, categories, changed and deleted pets, and claims. Pets 1, 5, 9 … are available. */
async function sell(ask: Ask): Promise<Claim[]> {
  const order = (petId: number, more = '') =>
    ask('POST', '/store/orders', `{"petId":${petId}${more}}`).then(idIn)
  const told = '"tags":["zahm","für-🧒"],"price":{"amount":"249.00","currency":"EUR"}'
  await ask('PUT', '/pets/1/details', `{"description":"Line one.\\nTwo: \\"\\"",${told}}`)
  await ask('PUT', '/pets/2/details', '{"bornOn":"2024-02-29","sex":"female"}')
  await ask('PUT', '/pets/1/photo', picture, { 'content-type': 'image/png' })
  await ask('POST', '/webhooks', `{"url":"http://127.0.0.1:9/","types":["order.placed"]}`)
  await order(1, ',"reference":"für Ann 🧾"')
  await ask('PATCH', '/webhooks/1', '{"status":"paused"}')
  await ask('POST', `/store/orders/${await order(5)}/ship`)
  const delivered = await order(9)
  await ask('POST', `/store/orders/${delivered}/ship`)
  await ask('POST', `/store/orders/${delivered}/deliver`)
  await ask('DELETE', `/store/orders/${await order(13)}`)
  await ask('PATCH', '/inventory/17', '{"quantity":1000000}')
  await order(17, ',"quantity":999999')
  await ask('POST', '/categories', '{"name":"Кошки 🐈","description":"Line one. \\"Two\\"."}')
  await ask('POST', '/categories', '{"name":"ÄFFCHEN"}')
  await ask('PATCH', '/pets/21', '{"name":"Renamed 🦜","categoryId":9223372036854775807}')
  await ask('PATCH', '/pets/25', '{"status":"sold"}')
  await ask('DELETE', '/pets/29')
  return [
    await claim(ask, { path: '/pets', key: 'one', body: '{"name":"Once","categoryId":1}' }),
    await claim(ask, { path: '/store/orders', key: 'two/two', body: '{"petId":33}' }),
  ]
}

async function claim(ask: Ask, request: Omit<Claim, 'text'>): Promise<Claim> {
  const { path, key, body } = request
  return { ...request, text: await ask('POST', path, body, { 'idempotency-key': key }) }
}

async function expireOrder(ask: Ask): Promise<void> {
  const id = idIn(await ask('POST', '/store/orders', '{"petId":13}'))
  while (!(await ask('GET', `/store/orders/${id}`)).includes('"expired"')) await sleep(100)
}

async function readAll(ask: Ask): Promise<Record<string, string>> {
  const reads: Record<string, string> = {}
  const lists = ['pets', 'store/orders', 'inventory', 'categories', 'details', 'photos', 'webhooks']
  for (const path of lists.map((name) => `/${name}`))
    reads[`/v1${path}?limit=100`] = await ask('GET', `${path}?limit=100`)
  return reads
}
