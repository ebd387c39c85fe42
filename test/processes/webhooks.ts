import assert from 'node:assert/strict'
import { eventsAfter } from '../harness/mirror.ts'
import type { Received } from '../harness/receiver.ts'
import { idsOf } from '../harness/receiver.ts'
import { ask } from './command.ts'
import type { Service } from './process.ts'

/** Allows webhooks to receivers on this machine. */
export const toThisMachine = { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8' }

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export async function createWebhook({ baseUrl, key }: Service, url: string): Promise<void> {
  const response = await ask(`${baseUrl}/webhooks`, key, post({ url, types: ['pet.created'] }))
  assert.equal(response.status, 201, response.text)
}

export function createPet({ baseUrl, key }: Service) {
  return ask(`${baseUrl}/pets`, key, post({ name: 'Rex', categoryId: 7 }))
}

/** Creates pets, one after the other, until it is stopped or the service is gone. */
export function creatingPets(service: Service) {
  let isStopped = false
  async function run() {
    while (!isStopped) {
      const response = await createPet(service).catch(() => undefined)
      if (response?.status !== 201) return
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
