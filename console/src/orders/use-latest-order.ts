import { type QueryKey, useQuery } from '@tanstack/react-query'
import { client, noRetries } from '../api/client.ts'
import { following } from '../api/following.ts'
import { queryClient } from '../api/query-client.ts'
import type { NamedOrder } from './order-list.ts'

/** An open order as it is now, also where the list has other filters by now. */
export function useLatestOrder(opened: NamedOrder): NamedOrder {
  const { data } = useQuery<NamedOrder>({
    ...following<NamedOrder>(['order']),
    queryKey: keyOf(opened),
    queryFn: async ({ signal }) => ({
      ...opened,
      ...(await client.orders.get(opened.id, { ...noRetries, signal })),
    }),
    initialData: opened,
    structuralSharing: false,
    gcTime: 0,
  })
  return data
}

/** Shows an order as it was changed here, if it is open. */
export async function putOrder(order: NamedOrder): Promise<void> {
  const queryKey = keyOf(order)
  // A poll that began before the change does not know of it.
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<NamedOrder>(queryKey, (last) => last && order)
}

function keyOf({ id }: NamedOrder): QueryKey {
  return ['order', String(id)]
}
