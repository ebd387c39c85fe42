import type { Int64, Pet } from '../../../client/src/index.ts'
import { isPetStatus } from '../../../src/contract/pet-status.ts'
import { client, reader } from '../api/client.ts'
import { parseId } from '../base/int64-text.ts'
import { isIdText, isOtherOrder, isText, searchReader } from '../base/search-params.ts'
import { searchedWords } from '../base/searched-words.ts'
import type { Version } from '../editor/saver.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'
import { type ShownPet, withDetails } from './pet-details.ts'

/** Reads the address of the pets page: the filters, the order, and the pet that the list begins at. */
export const readPetSearch = searchReader({
  status: isPetStatus,
  category: isIdText,
  words: isText,
  sort: isOtherOrder,
  at: isIdText,
})
export type PetSearch = ReturnType<typeof readPetSearch>

/** The filters of an address, as the service takes them. */
export function petFilter({ status, category, words = '' }: PetSearch) {
  const search = searchedWords(words).join(' ') || undefined
  return { status, search, categoryId: category === undefined ? undefined : parseId(category) }
}

/** The pets that match the filters of the address, in its order, from the pet on that it names. */
export function usePetList(search: PetSearch): RecordList<ShownPet> {
  const filter = petFilter(search)
  return useRecordList<ShownPet>({
    key: ['pets', filter.status, search.category, filter.search],
    kinds: ['pet', 'details'],
    order: search.sort ?? 'id',
    filter,
    fetch: async (query, options) =>
      withDetails(await reader.pets.list(query, options), options.signal),
  })
}

/** The most pets that are chosen at once. */
const chosenMax = 10_000

/** All pets that match the filters of the address: at most 10,000. Throws where there are more. */
export async function fetchAllPets(search: PetSearch): Promise<readonly Pet[]> {
  const pets: Pet[] = []
  for await (const pet of client.pets.list(petFilter(search))) {
    if (pets.length === chosenMax)
      throw new Error('More than 10,000 pets match: choose them in parts, by a filter.')
    pets.push(pet)
  }
  return pets
}

/** Resolves to undefined where there is no such pet. */
export async function findPet(id: Int64): Promise<Version<ShownPet> | undefined> {
  const { data, etag } = await reader.pets.list({ id })
  const [pet] = (await withDetails({ data, nextCursor: undefined })).data
  return pet && { record: pet, etag }
}
