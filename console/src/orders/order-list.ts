import { type QueryKey, useQuery } from '@tanstack/react-query'
import type { Order, OrderStatus } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { withPetNames } from '../api/pet-names.ts'
import { queryClient } from '../api/query-client.ts'
import { useHasScope } from '../api/session.ts'
import { startOfDay } from '../base/days.ts'
import { parseId } from '../base/int64-text.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** What the address of the orders page says: the filters, the sort order, the id that the list begins at, and the pet to order. */
export type OrderSearch = {
  status?: OrderStatus
  pet?: string
  reference?: string
  /** The first and the last day on which they were placed. */
  from?: string
  to?: string
  sort?: 'id'
  at?: string
  /** Opens the form for an order of this pet. */
  orderPet?: string
}

/** An order, with the name of its pet where the key may read pets and the pet is still there. */
export type NamedOrder = Order & { petName?: string }

/** The orders that match the address, the newest first unless it says otherwise. */
export function useOrderList(search: OrderSearch): RecordList<NamedOrder> {
  const { status, pet, reference, from, to, sort = '-id' } = search
  const canReadPets = useHasScope('pets:read')
  const filter = {
    status,
    reference,
    petId: pet === undefined ? undefined : parseId(pet),
    createdAfter: startOfDay(from),
    createdBefore: startOfDay(to, 1),
  }
  return useRecordList<NamedOrder>({
    key: ['orders', status, pet, reference, from, to, canReadPets],
    kinds: canReadPets ? ['order', 'pet'] : ['order'],
    order: sort,
    filter,
    async fetch(query, options) {
      const page = await reader.orders.list(query, options)
      return canReadPets ? withPets(page, options.signal) : page
    },
  })
}

/** Names the pets of orders. */
export function withPets(
  page: { data: readonly Order[]; nextCursor: string | undefined },
  signal: AbortSignal | undefined,
) {
  return withPetNames(page, ({ petId }) => petId, signal)
}

/** An open order as it is now, also where the list has other filters by now. */
export function useLatestOrder(opened: NamedOrder): NamedOrder {
  const { data } = useQuery<NamedOrder>({
    ...following<NamedOrder>(['order']),
    queryKey: keyOf(opened),
    queryFn: async ({ signal }) => ({
      ...opened,
      ...(await reader.orders.get(opened.id, { signal })),
    }),
    initialData: opened,
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
