import { storage } from '../../src/app/storage.ts'
import { systemClock, systemRandom } from '../../src/context/context.ts'
import type { DatabaseAddress } from '../../src/db/open.ts'
import { openDbBriefly } from '../../src/db/open.ts'
import { claimDatabase } from '../../src/features/environment/claim-database.ts'
import type { NewPet } from '../../src/features/pets/contract.ts'
import { createPet } from '../../src/features/pets/create-pet.ts'
import { samplePet } from '../contenders/sample-pets.ts'

/** Divides the number of pets. */
const batchSize = 2_000

/** Fills an empty database of our service with sample pets through its `createPet`. */
export async function fillOurs(address: DatabaseAddress, count: number): Promise<void> {
  const db = await openDbBriefly(address, { storage })
  const environment = 'production'
  const sources = { clock: systemClock, random: systemRandom }
  const context = { db, ...sources, environment, scopes: [], eventTypes: {} } as const
  await claimDatabase(db, address.name, environment)
  for (let first = 1; first <= count; first += batchSize) {
    const ids = Array.from({ length: batchSize }, (_, index) => first + index)
    const pets = await Promise.all(ids.map((id) => createPet(context, newPetOf(id))))
    if (pets.some(({ id }, index) => id !== BigInt(first + index))) {
      throw new Error('The sample pets did not get ascending ids.')
    }
  }
  await db.close()
}

function newPetOf(id: number): NewPet {
  const { categoryId, ...rest } = samplePet(id)
  return { ...(rest as Omit<NewPet, 'categoryId'>), categoryId: BigInt(categoryId) }
}
