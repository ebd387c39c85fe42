import assert from 'node:assert/strict'
import { startService } from '../processes/process.ts'
import { call } from './petstore.ts'
import { serveHere } from './serve-here.ts'
import { until } from './until.ts'

/** A store that no service is serving. */
export type TestStore = {
  env: Record<string, string>
  /** Everything that is stored, byte for byte. */
  contents(): Promise<unknown>
}

export type SoldStore = TestStore & {
  /** Writes past the program and past the constraints of the database. */
  damage(...statements: string[]): Promise<void>
  /** Rows of a query, with `|` between the values. */
  rows(text: string): Promise<string[]>
  /** Makes the database generate this value for a column of one row. */
  derive(table: string, column: string, value: string, id: number): Promise<void>
}

/** Sends a request to a service, with an Idempotency-Key if given; returns the record, and fails on an error. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  idempotencyKey?: string,
) => Promise<Record<string, unknown>>

/**
 * Sells in a new store, through the service: pet 1 has 9 on hand and 3 reserved; order 1 is expired, 2 pending for
 * two, 3 shipped, 4 delivered, 5 cancelled. Pet 2 is free, 3 deleted, 4 not for sale; categories are Dogs and Cats.
 * Results are stored for the Idempotency-Keys pet, gone, cats, order, ship and deliver.
 */
export async function sellInStore(env: Record<string, string>): Promise<void> {
  await servingHere({ ...env, PETSTORE_ORDER_HOLD_MS: '1' }, async (send) => {
    await send('POST', '/pets', { name: 'Ann', categoryId: 1, status: 'available' }, 'pet')
    await send('POST', '/store/orders', { petId: 1 })
    await until(async () => (await send('GET', '/store/orders/1')).status === 'expired')
  })
  await servingHere({ ...env, PETSTORE_ORDER_HOLD_MS: '864000000' }, async (send) => {
    await send('PATCH', '/inventory/1', { quantity: 10 })
    await send('POST', '/pets', { name: 'Bob', categoryId: 2, status: 'available' })
    await send('POST', '/pets', { name: 'Cy', categoryId: 2 }, 'gone')
    await send('DELETE', '/pets/3')
    await send('POST', '/pets', { name: 'Ænne "\\" Ω', categoryId: 2 })
    await send('POST', '/categories', { name: 'Dogs' })
    await send('POST', '/categories', { name: 'Cats' }, 'cats')
    await send('POST', '/store/orders', { petId: 1, quantity: 2 }, 'order')
    for (const _order of [3, 4, 5]) await send('POST', '/store/orders', { petId: 1 })
    await send('POST', '/store/orders/3/ship', undefined, 'ship')
    await send('POST', '/store/orders/4/ship')
    await send('POST', '/store/orders/4/deliver', undefined, 'deliver')
    await send('DELETE', '/store/orders/5')
  })
}

/** Runs work with a service in a process of its own, and stops the service afterwards. */
export async function serving(
  env: Record<string, string>,
  work: (send: Send) => Promise<void>,
): Promise<void> {
  await using service = await startService({ env })
  await work(sendingTo(service))
  const { code, stderr } = await service.stop()
  assert.equal(code, 0, stderr)
}

/** The same in this process. */
async function servingHere(env: Record<string, string>, work: (send: Send) => Promise<void>) {
  await using service = await serveHere(env)
  await work(sendingTo(service))
}

function sendingTo(service: Parameters<typeof call>[0]): Send {
  return async (method, path, body, idempotencyKey) => {
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
    const response = await call(service, path, { method, body, headers })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
}
