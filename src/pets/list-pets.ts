import type { Context } from '../context.ts'
import { type ListRequest, type Page, readPage } from '../db/page.ts'
import type { Pet, PetsFilter } from './contract.ts'
import { petsList } from './queries.ts'

/** One page of the catalogue, with the number of all pets that match where it is wanted. */
export function listPets({ db }: Context, request: ListRequest<PetsFilter>): Promise<Page<Pet>> {
  return readPage(db, petsList, request)
}
