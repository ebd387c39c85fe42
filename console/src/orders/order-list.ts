import { useQuery } from '@tanstack/react-query'
import type { Order } from '../../../client/src/index.ts'
import { isOrderStatus } from '../../../src/features/sales/order-status.ts'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { withPetNames } from '../api/pet-names.ts'
import { isDay, startOfDay } from '../base/days.ts'
import { parseId } from '../base/int64-text.ts'
import { isIdText, isText, searchReader } from '../base/search-params.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** Reads the address of the orders page. */
export const readOrderSearch = searchReader({
  status: isOrderStatus,
  pet: isIdText,
  reference: isText,
  /** The first and the last day on which they were placed. */
  from: isDay,
  to: isDay,
  sort: (value): value is 'id' => value === 'id',
  at: isIdText,
  /** Opens the form for an order of this pet. */
  orderPet: isIdText,
})
export type OrderSearch = ReturnType<typeof readOrderSearch>

/** An order, with the name of its pet where the key may read pets and the pet is still there. */
export type NamedOrder = Order & { petName?: string }

/** The orders that match the address, the newest first unless it says otherwise. */
export function useOrderList(search: OrderSearch): RecordList<NamedOrder> {
  const { status, pet, reference, from, to, sort = '-id' } = search
  return useRecordList<NamedOrder>({
    key: ['orders', status, pet, reference, from, to],
    kinds: ['order', 'pet'],
    order: sort,
    filter: orderFilter(search),
    async fetch(query, options) {
      const page = await reader.orders.list(query, options)
      return withPetNames(page, ({ petId }) => petId, options.signal)
    },
  })
}

/** The filters of an address, as the service takes them. */
export function orderFilter({ status, pet = '', reference, from, to }: OrderSearch) {
  return {
    status,
    reference,
    petId: parseId(pet),
    createdAfter: startOfDay(from),
    createdBefore: startOfDay(to, 1),
  }
}

/** An open order as it is now, also where the list has other filters by now. */
export function useLatestOrder(opened: NamedOrder): NamedOrder {
  const { data } = useQuery<NamedOrder>({
    ...following<NamedOrder>(['order']),
    queryKey: ['order', String(opened.id)],
    queryFn: async ({ signal }) => ({
      ...opened,
      ...(await reader.orders.get(opened.id, { signal })),
    }),
    initialData: opened,
    gcTime: 0,
  })
  return data
}
