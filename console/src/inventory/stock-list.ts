import type { Int64, InventoryItem } from '../../../client/src/index.ts'
import type { PetStatus } from '../../../src/contract/pet-status.ts'
import { reader } from '../api/client.ts'
import { withPetNames } from '../api/pet-names.ts'
import { useHasScope } from '../api/session.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** What the address of the inventory page says: a status, and the pet that the list begins at. */
export type StockSearch = { status?: PetStatus; at?: string }

/** The stock of a pet, with the pet's name where the key may read pets and the pet is still there. */
export type Stock = Pick<InventoryItem, 'quantity' | 'status'> & { id: Int64; petName?: string }

/** The stock of the pets that match the address, in ascending order of their ids. */
export function useStockList({ status }: StockSearch): RecordList<Stock> {
  const canReadPets = useHasScope('pets:read')
  return useRecordList<Stock>({
    key: ['inventory', status, canReadPets],
    kinds: ['inventory', 'pet'],
    order: 'id',
    filter: { status },
    async fetch({ id: petId, ...query }, options) {
      const { data, nextCursor } = await reader.inventory.list({ ...query, petId }, options)
      const page = { data: data.map(stockOf), nextCursor }
      return canReadPets ? withPetNames(page, ({ id }) => id, options.signal) : page
    },
  })
}

export function stockOf({ petId, quantity, status }: InventoryItem): Stock {
  return { id: petId, quantity, status }
}
