import type { Context } from '../../context/context.ts'
import type { NewPet, Pet } from './contract.ts'
import { insertPets } from './queries.ts'

/** Adds a pet to the catalogue. Resolves only once it is durable. */
export function createPet({ db }: Context, newPet: NewPet): Promise<Pet> {
  return db.write(insertPets, newPet)
}
