import type { Context } from '../../context/context.ts'
import { type JsonText, type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import type { PetsFilter } from './contract.ts'
import { petsList } from './queries.ts'

/** One page of the catalogue, with the count of all matches on request. */
export function listPets(
  { db }: Context,
  request: ListRequest<PetsFilter>,
): Promise<Page<JsonText>> {
  return readPage(db, petsList, request)
}
