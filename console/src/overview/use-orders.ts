import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Int64, InventoryItem, Order } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { useCount } from '../api/counts.ts'
import { following } from '../api/following.ts'
import { fetchPetNames } from '../api/pet-names.ts'
import { useHasScope } from '../api/session.ts'

/** The most that the service sends at once. */
const pageSize = 100
/** What is not urgent is polled less often. */
const slowly = { pollMs: 10_000 }

type OpenOrClosed = 'pending' | 'shipped' | 'delivered'

/** The oldest pending orders, or the newest of another status; `isAll`: there are no others. */
export function useOrders(status: OpenOrClosed) {
  const isUrgent = status === 'pending'
  return useQuery({
    ...following<{ orders: readonly Order[]; isAll: boolean }>(['order'], isUrgent ? {} : slowly),
    queryKey: ['orders of the overview', status],
    async queryFn({ signal }) {
      const query = { status, sort: isUrgent ? 'id' : '-id', limit: pageSize } as const
      const { data, nextCursor } = await reader.orders.list(query, { signal })
      return { orders: data, isAll: nextCursor === undefined }
    },
  })
}

type Page = ReturnType<typeof useOrders>

/** How many orders of a status there are: those of its page, or, where there are more, a count. */
export function useOrderCount(status: OpenOrClosed, { data }: Page) {
  const counted = useCount(
    'order',
    [status],
    (options) => reader.orders.list({ status, limit: 1 }, options),
    data?.isAll === false,
  )
  return data?.isAll ? data.orders.length : counted
}

/** The stock of these pets; those that have no status are not in it. */
export function useStockOf(petIds: readonly Int64[]) {
  const ids = petIds.slice(0, pageSize)
  return useQuery({
    ...following<InventoryItem[]>(['inventory', 'pet'], slowly),
    queryKey: ['stock of ordered pets', ids.map(String)],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await reader.inventory.list({ petId: ids, limit: pageSize }, { signal })).data,
  })
}

const none: ReadonlyMap<string, string> = new Map()
const namesPollMs = 60_000

/** The names of pets by the text of their ids, as far as the key may read pets. */
export function usePetNames(petIds: readonly Int64[]): ReadonlyMap<string, string> {
  const canReadPets = useHasScope('pets:read')
  const { data = none } = useQuery({
    ...following<ReadonlyMap<string, string>>(['pet'], { pollMs: namesPollMs }),
    queryKey: ['names of pets', petIds.map(String)],
    enabled: canReadPets && petIds.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => fetchPetNames(petIds, signal),
  })
  return data
}
