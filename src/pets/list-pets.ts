import type { Context } from '../context.ts'
import type { Page, PageRequest } from '../db/page.ts'
import type { Pet, PetsQuery } from './contract.ts'
import { countPets, selectPets } from './queries.ts'

type PetsRequest = { query: PetsQuery; page: PageRequest; wantsTotal: boolean }

/** One page of the catalogue, with the number of all pets that match where it is wanted. */
export async function listPets(
  { db }: Context,
  { query, page, wantsTotal }: PetsRequest,
): Promise<Page<Pet>> {
  const [pets, total] = await Promise.all([
    db.read(selectPets, { filter: query, page }),
    wantsTotal ? db.scan(countPets, query) : undefined,
  ])
  return total === undefined ? pets : { ...pets, total }
}
