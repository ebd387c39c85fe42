import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { selectPet } from './queries.ts'

/** One pet by its id. Throws `not_found`. */
export async function getPet({ db }: Context, id: bigint): Promise<JsonText> {
  const pet = await db.read(selectPet, id)
  if (!pet) throw new ServiceError('not_found', petNotFound(id))
  return pet
}

/** The message for an unknown pet id. */
export function petNotFound(id: bigint): string {
  return `There is no pet with the id ${id}.`
}
