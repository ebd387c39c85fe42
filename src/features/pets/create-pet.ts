import type { Context } from '../../context/context.ts'
import type { NewPet, Pet } from './contract.ts'
import { insertPets } from './queries.ts'

/** Adds a pet to the catalogue. Resolves only once it is durable. */
export async function createPet({ db }: Context, newPet: NewPet): Promise<Pet> {
  const result = (await db.write(insertPets, newPet)) as bigint | Pet
  // Before 1.0.0 (`src/db/schema/early.ts`) the whole pet was stored as the result of an Idempotency-Key.
  return typeof result === 'object' ? result : { id: result, ...newPet }
}
