import assert from 'node:assert/strict'
import type { Delivery } from '../../src/features/webhooks/contract/deliveries.ts'
import { startApp } from './app.ts'
import { until } from './until.ts'

export const manager = ['default', 'webhooks:manage'] as const
export const hosts = { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8' }
export const hourMs = 3_600_000

export type Issued = { id: number; url: string; secret: string }

/** A service that sends webhooks, and a key that may manage them. */
export async function startSending(settings: Record<string, string> = {}) {
  const app = await startApp({ settings: { ...hosts, ...settings } })
  await app.startJobs()
  const key = await app.issueKey({ scopes: manager })
  return { ...app, manager: key }
}

export type Sending = Awaited<ReturnType<typeof startSending>>

export async function createWebhook(
  { api, manager: key }: Sending,
  body: Record<string, unknown>,
): Promise<Issued> {
  const response = await api.post('/v1/webhooks', body, { key })
  assert.equal(response.status, 201, response.text)
  return response.json() as Issued
}

export async function get<T>({ api, manager: key }: Sending, path: string): Promise<T> {
  const response = await api.get(`/v1${path}`, { key })
  assert.equal(response.status, 200, response.text)
  return response.json() as T
}

export const deliveriesOf = (app: Sending, { id }: Issued, query = '') =>
  get<Delivery[]>(app, `/webhooks/${id}/deliveries?limit=100${query}`)

/** Waits until all deliveries have this status. */
export async function untilAll(app: Sending, webhook: Issued, status: string, count: number) {
  await until(async () => {
    const found = await deliveriesOf(app, webhook, `&status=${status}`)
    return found.length === count
  })
}

/** Waits for this many attempts of the only delivery. */
export async function untilAttempted(
  app: Sending,
  webhook: Issued,
  made: number,
): Promise<Delivery> {
  let found: Delivery | undefined
  await until(async () => {
    found = (await deliveriesOf(app, webhook))[0]
    return found?.attempts.length === made
  })
  return found as Delivery
}
