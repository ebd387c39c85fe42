import assert from 'node:assert/strict'
import { eventsAfter } from '../harness/mirror.ts'
import { call } from '../harness/petstore.ts'
import { idsOf, type Received } from '../harness/receiver.ts'
import { ask } from './command.ts'
import type { Service } from './process.ts'

/** Allows webhooks to receivers on this machine. */
export const toThisMachine = { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8' }

export async function createWebhook(service: Service, url: string): Promise<void> {
  const body = { url, types: ['pet.created'] }
  const response = await call(service, '/webhooks', { method: 'POST', body })
  assert.equal(response.status, 201, await response.text())
}

export async function createPet(service: Service): Promise<number> {
  const body = { name: 'Rex', categoryId: 7 }
  const response = await call(service, '/pets', { method: 'POST', body })
  await response.text()
  return response.status
}

/** Creates pets, one after the other, until it is stopped or the service is gone. */
export function creatingPets(service: Service) {
  let isStopped = false
  async function run() {
    while (!isStopped) {
      if ((await createPet(service).catch(() => undefined)) !== 201) return
    }
  }
  const ended = run()
  return {
    async stop() {
      isStopped = true
      await ended
    },
  }
}

/** The ids of all events of new pets. */
export async function eventIds({ baseUrl, key }: Service): Promise<number[]> {
  const { origin } = new URL(baseUrl)
  const events = await eventsAfter({ get: (path) => ask(origin + path, key) }, undefined)
  return events.filter(({ type }) => type === 'pet.created').map(({ id }) => Number(id))
}

/** Whether each of these events has arrived. Fails where another has: it was never committed. */
export function haveArrived(events: readonly number[], received: readonly Received[]): boolean {
  const known = new Set(events)
  const arrived = idsOf(received)
  assert.deepEqual(
    arrived.filter((id) => !known.has(id)),
    [],
  )
  return arrived.length === known.size
}
