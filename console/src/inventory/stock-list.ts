import type { Int64, InventoryItem } from '../../../client/src/index.ts'
import { isPetStatus } from '../../../src/contract/pet-status.ts'
import { reader } from '../api/client.ts'
import { withPetNames } from '../api/pet-names.ts'
import { isIdText, searchReader } from '../base/search-params.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** Reads the address of the inventory page: a status, and the pet that the list begins at. */
export const readStockSearch = searchReader({ status: isPetStatus, at: isIdText })
export type StockSearch = ReturnType<typeof readStockSearch>

/** The stock of a pet, with the pet's name where the key may read pets and the pet is still there. */
export type Stock = Pick<InventoryItem, 'quantity' | 'status'> & { id: Int64; petName?: string }

/** The stock of the pets that match the address, in ascending order of their ids. */
export function useStockList({ status }: StockSearch): RecordList<Stock> {
  return useRecordList<Stock>({
    key: ['inventory', status],
    kinds: ['inventory', 'pet'],
    order: 'id',
    filter: { status },
    async fetch({ id: petId, ...query }, options) {
      const { data, nextCursor } = await reader.inventory.list({ ...query, petId }, options)
      return withPetNames({ data: data.map(stockOf), nextCursor }, ({ id }) => id, options.signal)
    },
  })
}

export function stockOf({ petId, quantity, status }: InventoryItem): Stock {
  return { id: petId, quantity, status }
}
