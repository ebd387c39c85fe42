// Prints the names of all pets, again after each change. Run: STORE=http://127.0.0.1:8080/v1 API_KEY=… node mirror.ts
import { setTimeout as sleep } from 'node:timers/promises'
import { type Pet, PetstoreClient, PetstoreEventsExpiredError } from 'petstore-client'

const { STORE: baseUrl, API_KEY: key } = process.env
const client = new PetstoreClient({ baseUrl, key })
const pets = new Map<Pet['id'], Pet>()

async function copyAll() {
  const { headers } = await client.events.list({ limit: 1 })
  pets.clear()
  for await (const pet of client.pets.list()) pets.set(pet.id, pet)
  return BigInt(headers.get('petstore-position') ?? 0)
}

const type = ['pet.created', 'pet.updated', 'pet.deleted'] as const
while (true) {
  const after = await copyAll()
  console.log([...pets.values()].map(({ name }) => name))
  try {
    for await (const { type: change, data: pet } of client.events.follow({ after, type })) {
      if (change === 'pet.deleted') pets.delete(pet.id)
      else pets.set(pet.id, pet as Pet)
      console.log([...pets.values()].map(({ name }) => name))
    }
  } catch (error) {
    if (!(error instanceof PetstoreEventsExpiredError)) throw error
    await sleep(1_000)
  }
}
