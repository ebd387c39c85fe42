import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PetstoreApiError } from '../../../client/src/errors.ts'
import type { Category } from '../../../client/src/generated/records.ts'
import { petStatuses } from '../../../src/features/pets/pet-status.ts'
import { client, once } from '../api/client.ts'
import { pause } from '../shared/pause.ts'

/** A number of records; `tooLong` where counting them takes the service longer than it allows. */
export type Count = number | 'tooLong'

/** Counting is dear in a large store: an overview need not be newer. */
const countEveryMs = 20_000
const restMs = 50
/** More bars than this nobody compares. */
export const categoriesMax = 24

type Counted = { total?: number | undefined }

/** What a list counts, or that it takes too long. */
async function countOf(list: PromiseLike<Counted>): Promise<Count> {
  try {
    return (await list).total ?? 0
  } catch (error) {
    if (error instanceof PetstoreApiError && error.status === 503) return 'tooLong'
    throw error
  }
}

const counting = (signal: AbortSignal) => ({ ...once, signal, count: true }) as const
const counted = {
  refetchInterval: countEveryMs,
  staleTime: countEveryMs,
  placeholderData: keepPreviousData,
} as const

/** How many pets there are of each status, and in all. */
export function usePetCounts(isOn: boolean) {
  return useQuery({
    queryKey: ['count', 'pets by status'],
    enabled: isOn,
    ...counted,
    async queryFn({ signal }) {
      const all = await countOf(client.pets.list({ limit: 1 }, counting(signal)))
      const byStatus: { status: (typeof petStatuses)[number]; pets: Count }[] = []
      for (const status of petStatuses) {
        const pets = await countOf(client.pets.list({ status, limit: 1 }, counting(signal)))
        byStatus.push({ status, pets })
      }
      return { all, byStatus }
    },
  })
}

/** How many pets there are in each category, one after the other so that the service has time for others. */
export function useCategoryCounts(categories: readonly Category[]) {
  const shown = categories.slice(0, categoriesMax)
  return useQuery({
    queryKey: ['count', 'pets by category', shown.map(({ id }) => String(id))],
    enabled: shown.length > 0,
    ...counted,
    structuralSharing: false,
    async queryFn({ signal }) {
      const counts: { category: Category; pets: Count }[] = []
      for (const category of shown) {
        const query = { categoryId: category.id, limit: 1 }
        counts.push({ category, pets: await countOf(client.pets.list(query, counting(signal))) })
        await pause(restMs, signal)
      }
      return counts
    },
  })
}

/** How many orders are open. */
export function useOrderCounts(isOn: boolean) {
  return useQuery({
    queryKey: ['count', 'open orders'],
    enabled: isOn,
    ...counted,
    async queryFn({ signal }) {
      const count = (status: 'pending' | 'shipped') =>
        countOf(client.orders.list({ status, limit: 1 }, counting(signal)))
      return { pending: await count('pending'), shipped: await count('shipped') }
    },
  })
}

/** How many pets of the inventory have a status that says that none can be sold. */
export function useHeldCount(isOn: boolean) {
  return useQuery({
    queryKey: ['count', 'held'],
    enabled: isOn,
    ...counted,
    queryFn: ({ signal }) =>
      countOf(client.inventory.list({ status: 'pending', limit: 1 }, counting(signal))),
  })
}
