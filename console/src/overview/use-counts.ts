import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Category, ListPetsQuery } from '../../../client/src/generated/records.ts'
import { type PetStatus, petStatuses } from '../../../src/contract/pet-status.ts'
import { client } from '../api/client.ts'
import { type Count, countOf, countsOptions, timed } from '../api/counts.ts'

/** Few pets change their category. */
const pollCategoriesEveryMs = 5 * 60_000

type PetCounts = { all: Count; byStatus: { status: PetStatus; pets: Count }[] }

/** How many pets there are of each status, and in all. */
export function usePetCounts() {
  return useQuery({
    ...countsOptions<PetCounts>('pet'),
    queryKey: ['count', 'pets by status'],
    queryFn: ({ signal }) =>
      timed(
        async () => {
          const all = await countPets({}, signal)
          const byStatus: PetCounts['byStatus'] = []
          for (const status of petStatuses)
            byStatus.push({ status, pets: await countPets({ status }, signal) })
          return { all, byStatus }
        },
        ({ all, byStatus }) => all === 'tooLong' || byStatus.some(({ pets }) => pets === 'tooLong'),
      ),
  })
}

/** How many pets there are in each of these categories. `isOn`: somebody sees them. */
export function useCategoryCounts(categories: readonly Category[], isOn: boolean) {
  return useQuery({
    ...countsOptions<{ category: Category; pets: Count }[]>('pet', pollCategoriesEveryMs),
    queryKey: ['count', 'pets by category', categories.map(({ id }) => String(id))],
    enabled: isOn && categories.length > 0,
    // While more categories are counted.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      timed(
        async () => {
          const counts: { category: Category; pets: Count }[] = []
          for (const category of categories)
            counts.push({ category, pets: await countPets({ categoryId: category.id }, signal) })
          return counts
        },
        (counts) => counts.some(({ pets }) => pets === 'tooLong'),
      ),
  })
}

function countPets(query: ListPetsQuery, signal: AbortSignal): Promise<Count> {
  return countOf((options) => client.pets.list({ ...query, limit: 1 }, options), signal)
}
