import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Int64, InventoryItem } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { useHasScope } from '../api/session.ts'
import { type NamedOrder, withPets } from '../orders/order-list.ts'

/** The most that the service sends at once. */
const pageSize = 100
/** What is not urgent is polled less often. */
const slowly = { pollMs: 10_000 }

/** `isAll`: there are no others. */
type Listed = { orders: readonly NamedOrder[]; isAll: boolean }

/** The oldest pending orders, or the newest of another status. */
export function useOrders(status: 'pending' | 'shipped' | 'delivered') {
  const isUrgent = status === 'pending'
  const canReadPets = useHasScope('pets:read')
  return useQuery({
    ...following<Listed>(['order'], isUrgent ? {} : slowly),
    queryKey: ['orders of the overview', status, canReadPets],
    async queryFn({ signal }): Promise<Listed> {
      const query = { status, sort: isUrgent ? 'id' : '-id', limit: pageSize } as const
      const page = await reader.orders.list(query, { signal })
      const { data, nextCursor } = canReadPets ? await withPets(page, signal) : page
      return { orders: data, isAll: nextCursor === undefined }
    },
  })
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
