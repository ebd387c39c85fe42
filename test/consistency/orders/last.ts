import { repeatRefused } from '../../harness/repeat.ts'
import { until } from '../../harness/until.ts'
import { type Answer, nextOf, request, type Targets } from '../creates/clients.ts'
import type { Last, SeenOrder, SeenStock, Shop } from './history.ts'

/** Twenty times what it takes to sweep all due holds. */
const sweptMaxMs = 40_000

type Order = { id: number; petId: number; quantity: number; status: string } & {
  reference?: string
  expiresAt?: string
}

/**
 * Reads, once the clients have stopped, all pets that were for sale, and all of their orders. Throws unless every
 * request succeeds.
 */
export async function lookAtEnd(shop: Shop, service: number): Promise<Last> {
  const startMs = performance.now()
  const orders: SeenOrder[] = []
  const stocks: SeenStock[] = []
  for (const petId of shop.history.stockOf.keys()) {
    orders.push(...(await untilSettled(shop, service, petId)))
    stocks.push(await lookAt(shop, service, petId))
  }
  return { startMs, endMs: performance.now(), orders, stocks }
}

/** All orders of a pet, once the hold of none is about to end. */
async function untilSettled(
  targets: Targets,
  service: number,
  petId: number,
): Promise<SeenOrder[]> {
  let orders: SeenOrder[] = []
  await until(async () => {
    orders = await listOrders(targets, service, petId)
    return !orders.some(({ status, dueMs }) => status === 'pending' && dueMs !== undefined)
  }, sweptMaxMs)
  return orders
}

async function listOrders(targets: Targets, service: number, petId: number): Promise<SeenOrder[]> {
  const orders: SeenOrder[] = []
  let url: string | undefined = `${targets.baseUrls[service]}/store/orders?petId=${petId}&limit=100`
  while (url !== undefined) {
    const answer: Answer = await repeatRefused(() => request(url as string, targets))
    const { status, text } = answer
    if (status !== 200) throw new Error(`GET ${url}: ${status} ${text}`)
    orders.push(...(JSON.parse(text) as Order[]).map(seen))
    url = nextOf(answer)
  }
  return orders
}

function seen({ id, petId, quantity, status, reference, expiresAt }: Order): SeenOrder {
  const order = { id, petId, quantity, status, ...(reference === undefined ? {} : { reference }) }
  if (expiresAt === undefined) return order
  return { ...order, dueMs: performance.now() + Date.parse(expiresAt) - Date.now() }
}

/** Finds out how much of a pet is reserved: a lower stock is refused. */
async function lookAt(targets: Targets, service: number, petId: number): Promise<SeenStock> {
  const { baseUrls, key } = targets
  const listed = await repeatRefused(() =>
    request(`${baseUrls[service]}/inventory?petId=${petId}`, targets),
  )
  const [item] = JSON.parse(listed.text) as { quantity: number; status: string }[]
  if (listed.status !== 200 || !item) throw new Error(`pet ${petId}: ${listed.text}`)
  const url = `${baseUrls[service]}/inventory/${petId}`
  const count = (quantity: number) =>
    repeatRefused(() => request(url, { key, method: 'PATCH', body: JSON.stringify({ quantity }) }))

  let reserved = 0
  for (;;) {
    const { status, text } = await count(reserved)
    if (status === 200) break
    if (status !== 409 || reserved > item.quantity) throw new Error(`${url}: ${status} ${text}`)
    reserved += 1
  }
  await count(item.quantity)
  return { petId, quantity: item.quantity, status: item.status, reserved }
}
