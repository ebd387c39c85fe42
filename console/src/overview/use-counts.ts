import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Category, ListPetsQuery } from '../../../client/src/index.ts'
import { type PetStatus, petStatuses } from '../../../src/contract/pet-status.ts'
import { reader } from '../api/client.ts'
import { type Count, type Counting, countsOptions } from '../api/counts.ts'

/** Few pets change their category. */
const pollCategoriesEveryMs = 5 * 60_000

/** How many pets there are of each status, and in all. */
export function usePetCounts() {
  return useQuery({
    ...countsOptions('pet', async (count) => {
      const all = await count(petsOf({}))
      const byStatus: { status: PetStatus; pets: Count }[] = []
      for (const status of petStatuses)
        byStatus.push({ status, pets: await count(petsOf({ status })) })
      return { all, byStatus }
    }),
    queryKey: ['count', 'pets by status'],
  })
}

/** How many pets there are in each of these categories. `isOn`: somebody sees them. */
export function useCategoryCounts(categories: readonly Category[], isOn: boolean) {
  const counting = countsOptions(
    'pet',
    async (count) => {
      const counts: { category: Category; pets: Count }[] = []
      for (const category of categories)
        counts.push({ category, pets: await count(petsOf({ categoryId: category.id })) })
      return counts
    },
    pollCategoriesEveryMs,
  )
  return useQuery({
    ...counting,
    queryKey: ['count', 'pets by category', categories.map(({ id }) => String(id))],
    enabled: isOn && categories.length > 0,
    // While more categories are counted.
    placeholderData: keepPreviousData,
  })
}

function petsOf(query: ListPetsQuery): Counting {
  return (options) => reader.pets.list({ ...query, limit: 1 }, options)
}
