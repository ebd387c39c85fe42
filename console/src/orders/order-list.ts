import type { Order, OrderStatus } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { withPetNames } from '../api/pet-names.ts'
import { useHasScope } from '../api/session.ts'
import { parseId } from '../base/int64-text.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** What the address of the orders page says: the filters, the sort order, the id that the list begins at, and the pet to order. */
export type OrderSearch = {
  status?: OrderStatus
  pet?: string
  reference?: string
  sort?: 'id'
  at?: string
  /** Opens the form for an order of this pet. */
  orderPet?: string
}

/** An order, with the name of its pet where the key may read pets and the pet is still there. */
export type NamedOrder = Order & { petName?: string }

/** The orders that match the address, the newest first unless it says otherwise. */
export function useOrderList(search: OrderSearch): RecordList<NamedOrder> {
  const { status, pet, reference, sort = '-id' } = search
  const canReadPets = useHasScope('pets:read')
  const filter = { status, reference, petId: pet === undefined ? undefined : parseId(pet) }
  return useRecordList<NamedOrder>({
    key: ['orders', status, pet, reference, canReadPets],
    kinds: canReadPets ? ['order', 'pet'] : ['order'],
    order: sort,
    filter,
    async fetch(query, options) {
      const page = await client.orders.list(query, options)
      return canReadPets ? withPetNames(page, ({ petId }) => petId, options.signal) : page
    },
  })
}
