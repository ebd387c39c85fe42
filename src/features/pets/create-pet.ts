import type { Context } from '../../context/context.ts'
import type { NewPet, Pet } from './contract.ts'
import { insertPets } from './queries.ts'

/** Adds a pet to the catalogue. Resolves only once it is durable. */
export function createPet({ db }: Context, { name, categoryId, status }: NewPet): Promise<Pet> {
  return db.write(
    insertPets,
    status === undefined ? { name, categoryId } : { name, categoryId, status },
  )
}
