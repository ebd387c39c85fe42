import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client, noRetries } from '../api/client.ts'
import { pollEveryMs, queryClient } from '../api/query-client.ts'
import type { NamedOrder } from './order-list.ts'

/** An open order as it is now, also where the list has other filters by now. `row`: as the list has it, if it is there. */
export function useLatestOrder(opened: NamedOrder, row: NamedOrder | undefined): NamedOrder {
  const queryKey = keyOf(opened)
  const { data } = useQuery<NamedOrder>({
    queryKey,
    queryFn: async ({ signal }) => ({
      ...opened,
      ...(await client.orders.get(opened.id, { ...noRetries, signal })),
    }),
    initialData: opened,
    enabled: row === undefined,
    refetchInterval: pollEveryMs,
    gcTime: 0,
  })
  // Once the row has left the list, the order goes on from there.
  useEffect(() => {
    if (row !== undefined) queryClient.setQueryData(keyOf(row), row)
  }, [row])
  return row ?? data
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
