import { writeFileSync } from 'node:fs'
import { ask, nextOf } from './pages.ts'
import type { Server } from './server.ts'
import { type Load, LoadFailed, runWrk } from './wrk.ts'

/** Pets that all orders of few pets are for, and their stock: more than all windows order. */
const fewCount = 8
const stock = 1_000_000
/** More than one window orders. */
const ordersMax = 50_000

type Address = Pick<Server, 'baseUrl' | 'key'>

const ordersPath = '/v1/store/orders'
const openPath = `${ordersPath}?status=pending&limit=100`
const cancelPassesMax = 10
const cancelMaxMs = 60_000

/** The requests of both workloads of orders, a line each. Stocks the few pets. */
export async function makeOrders(server: Address, petIds: readonly number[]) {
  const few = petIds.slice(0, fewCount)
  for (const id of few) await setStock(server, id)
  const ofFew = Array.from({ length: ordersMax }, (_, index) => few[index % fewCount] as number)
  return {
    'orders of a pet each': petIds.slice(fewCount).map(orderOf),
    'orders of few pets': ofFew.map(orderOf),
  }
}

function orderOf(petId: number): string {
  return `POST ${ordersPath} {"petId":${petId}}`
}

async function setStock(server: Address, id: number): Promise<void> {
  const { status, body } = await ask(server, `/v1/inventory/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quantity: stock }),
  })
  if (status !== 200) throw new Error(`the stock of pet ${id} returned ${status} ${body}`)
}

/**
 * Cancels all open orders, also those of requests that were cut off by the end of a window. Throws when there are still
 * some after ten passes.
 */
export async function cancelOrders(load: Load, list: string): Promise<void> {
  for (let pass = 1; (await listCancellations(load, list)) > 0; pass++) {
    if (pass > cancelPassesMax) throw new Error('Orders are still open after they were cancelled.')
    await runWrk({ ...load, writes: list, durationMs: cancelMaxMs }).catch(requireLoadFailed)
  }
}

/** Writes a cancellation of each open order to a file. Returns how many there are. */
export async function listCancellations(server: Address, list: string): Promise<number> {
  const lines: string[] = []
  for (let path: string | undefined = openPath; path !== undefined; ) {
    const answer = await ask(server, path)
    if (answer.status !== 200) throw new Error(`${path} returned ${answer.status} ${answer.body}`)
    const orders: { id: number }[] = JSON.parse(answer.body)
    lines.push(...orders.map(({ id }) => `DELETE ${ordersPath}/${id}`))
    path = nextOf(answer)
  }
  writeFileSync(list, lines.join('\n'))
  return lines.length
}

/** A cancellation of the window before may be performed after the orders were listed. */
function requireLoadFailed(error: unknown): void {
  if (!(error instanceof LoadFailed)) throw error
}
