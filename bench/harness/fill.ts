import { systemClock, systemRandom } from '../../src/context.ts'
import { openDbBriefly } from '../../src/db/open.ts'
import { claimDatabase } from '../../src/environment/claim-database.ts'
import { createPet } from '../../src/pets/create-pet.ts'
import type { DatabaseAddress } from '../../src/settings.ts'
import { statements } from '../../src/statements.ts'
import { animalOf } from '../contenders/animals.ts'

const atOnce = 2_000

/** Fills an empty store of ours with the animals, in the order of their ids, through the verb that creates one. */
export async function fillOurs(address: DatabaseAddress, count: number): Promise<void> {
  const db = await openDbBriefly(address, {
    statements,
    statementsUrl: '',
    warn: () => undefined,
    onLost: (reason) => {
      throw new Error(reason)
    },
  })
  const context = { db, clock: systemClock, random: systemRandom }
  await claimDatabase(db, address.name, 'production')
  for (let first = 1; first <= count; first += atOnce) {
    const ids = Array.from(
      { length: Math.min(atOnce, count - first + 1) },
      (_, index) => first + index,
    )
    const pets = await Promise.all(
      ids.map((id) => {
        const { name, categoryId, status } = animalOf(id)
        return createPet(context, {
          name,
          categoryId: BigInt(categoryId),
          ...(status === undefined ? {} : { status: status as 'available' }),
        })
      }),
    )
    if (pets.some(({ id }, index) => id !== BigInt(ids[index] ?? 0))) {
      throw new Error('The animals did not get the ids of their order.')
    }
  }
  await db.close()
}
