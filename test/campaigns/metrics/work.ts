import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../harness/petstore.ts'
import type { Service } from '../../processes/process.ts'

const pauseMs = 20

/** Ordinary work: pets and orders, of which some are refused, and requests that are wrong. */
export async function work(service: Service, signal: AbortSignal): Promise<void> {
  for (let index = 0; !signal.aborted; index++) {
    const pet = await ask(service, '/pets', {
      name: `Rex ${index}`,
      categoryId: 7,
      status: 'available',
    })
    const { id } = JSON.parse(pet) as { id: number }
    await ask(service, '/store/orders', { petId: id })
    await ask(service, '/store/orders', { petId: id })
    await ask(service, `/pets/${id}`)
    await ask(service, '/pets?limit=20')
    await ask(service, '/pets', { name: 7 })
    await ask(service, '/nothing')
    await sleep(pauseMs)
  }
}

/** Requests that fail or take two seconds, on three more connections, by faults of the test bench. */
export async function troubledWork(service: Service, signal: AbortSignal): Promise<void> {
  const { origin } = new URL(service.baseUrl)
  for (const fault of [
    { operation: 'listPets', error: 'internal_error' },
    { operation: 'listCategories', delayMs: 2_000 },
  ]) {
    await ask({ ...service, baseUrl: `${origin}/test-bench` }, '/faults', fault)
  }
  const repeat = async (path: string, gapMs: number) => {
    while (!signal.aborted) {
      await ask(service, path).catch(() => undefined)
      await sleep(gapMs)
    }
  }
  await Promise.all([repeat('/pets', 100), repeat('/categories', 0), repeat('/categories', 0)])
}

/** Follows the events of a store until it is disposed of. */
export async function followEvents(service: Service): Promise<Disposable> {
  const leaving = new AbortController()
  const headers = { accept: 'text/event-stream' }
  const { body } = await call(service, '/events', { headers, signal: leaving.signal })
  const read = async () => {
    for await (const chunk of body ?? []) void chunk
  }
  void read().catch(() => undefined)
  return { [Symbol.dispose]: () => leaving.abort() }
}

async function ask(service: Service, path: string, body?: unknown): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST'
  return (await call(service, path, { method, body })).text()
}
