import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { petNotFound } from './pet-not-found.ts'
import { selectPet } from './queries.ts'

/** One pet by its id. Throws `not_found`. */
export async function getPet({ db }: Context, id: bigint): Promise<JsonText> {
  const pet = await db.read(selectPet, id)
  if (!pet) throw new ServiceError('not_found', petNotFound(id))
  return pet
}
