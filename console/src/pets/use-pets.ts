import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PetstoreApiError } from '../../../client/src/errors.ts'
import type { Pet } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { client, once } from '../api/client.ts'
import type { Version } from '../api/use-save.ts'
import { parseId } from '../shared/int64-text.ts'
import { type Source, useRecordList } from '../table/use-record-list.ts'
import type { PetsSearch } from './pets-search.ts'

/** The filters of an address, as the service takes them. */
function filterOf({ status, category, name }: PetsSearch) {
  return { status, name, categoryId: category === undefined ? undefined : parseId(category) }
}

/** The pets that match the filters of the address, in its order, from the pet on that it names. */
export function usePets(search: PetsSearch) {
  const filter = filterOf(search)
  const source: Source<Pet> = {
    key: ['pets', filter.status, search.category, filter.name],
    order: search.sort ?? 'id',
    at: search.at === undefined ? undefined : parseId(search.at),
    fetchPage: async (query, signal) =>
      (await client.pets.list({ ...filter, ...query }, { ...once, signal })).data,
    fetchByIds: async (ids, signal) =>
      (await client.pets.list({ id: [...ids], limit: 100 }, { ...once, signal })).data,
  }
  return useRecordList(source)
}

/** Resolves to undefined where there is no such pet. */
export async function fetchPet(id: Int64, signal?: AbortSignal): Promise<Version<Pet> | undefined> {
  const { data, etag } = await client.pets.list({ id }, { ...once, signal })
  const [pet] = data
  return pet && { record: pet, etag }
}

const countEveryMs = 15_000

/** How many pets match; `tooLong` where counting them takes the service longer than it allows. */
export function usePetCount(search: PetsSearch): number | 'tooLong' | undefined {
  const filter = filterOf(search)
  const { data } = useQuery({
    queryKey: ['pet-count', filter.status, search.category, filter.name],
    queryFn: ({ signal }) => countPets(filter, signal),
    refetchInterval: countEveryMs,
    placeholderData: keepPreviousData,
  })
  return data
}

async function countPets(filter: ReturnType<typeof filterOf>, signal: AbortSignal) {
  try {
    const { total } = await client.pets.list(
      { ...filter, limit: 1 },
      { ...once, signal, count: true },
    )
    return total ?? 0
  } catch (error) {
    if (error instanceof PetstoreApiError && error.status === 503) return 'tooLong'
    throw error
  }
}
