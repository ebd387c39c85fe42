import assert from 'node:assert/strict'
import type { Delivery } from '../../src/features/webhooks/contract/deliveries.ts'
import { startApp, type TestApp } from './app.ts'
import { until } from './until.ts'

export const hourMs = 3_600_000

export type Issued = { id: number; url: string; secret: string }

/** A service that sends webhooks. */
export async function startSending(settings: Record<string, string> = {}): Promise<TestApp> {
  const app = await startApp({ settings })
  await app.startJobs()
  return app
}

/** Creates a webhook, with another key where one is given. */
export async function createWebhook(
  { api }: TestApp,
  body: Record<string, unknown>,
  options: { key?: string } = {},
): Promise<Issued> {
  const response = await api.post('/v1/webhooks', body, options)
  assert.equal(response.status, 201, response.text)
  return response.json() as Issued
}

export async function get<T>({ api }: TestApp, path: string): Promise<T> {
  const response = await api.get(`/v1${path}`)
  assert.equal(response.status, 200, response.text)
  return response.json() as T
}

export const deliveriesOf = (app: TestApp, { id }: Issued, query = '') =>
  get<Delivery[]>(app, `/webhooks/${id}/deliveries?limit=100${query}`)

/** Waits until this many deliveries have this status. */
export async function untilAll(app: TestApp, webhook: Issued, status: string, count: number) {
  await until(async () => (await deliveriesOf(app, webhook, `&status=${status}`)).length === count)
}

/** Waits for this many attempts of the only delivery. */
export async function untilAttempted(app: TestApp, webhook: Issued, made: number) {
  let found: Delivery | undefined
  await until(async () => {
    found = (await deliveriesOf(app, webhook))[0]
    return found?.attempts.length === made
  })
  return found as Delivery
}
