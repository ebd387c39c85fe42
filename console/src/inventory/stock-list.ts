import type { InventoryItem } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { client, noRetries } from '../api/client.ts'
import { withPetNames } from '../api/pet-names.ts'
import { useHasScope } from '../api/session.ts'
import { parseId } from '../base/int64-text.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'
import type { StockSearch } from './stock-search.ts'

/** The stock of a pet, with the pet's name where the key may read pets and the pet is still there. */
export type Stock = Pick<InventoryItem, 'quantity' | 'status'> & { id: Int64; petName?: string }

/** The stock of the pets that match the address, in ascending order of their ids. */
export function useStockList({ status, at }: StockSearch): RecordList<Stock> {
  const canReadPets = useHasScope('pets:read')
  const stocksOf = (items: readonly InventoryItem[], signal: AbortSignal) => {
    const stocks = items.map(stockOf)
    return canReadPets ? withPetNames(stocks, ({ id }) => id, signal) : stocks
  }
  return useRecordList<Stock>({
    key: ['inventory', status, canReadPets],
    order: 'id',
    at: at === undefined ? undefined : parseId(at),
    fetchPage: async (query, signal) => {
      const { data } = await client.inventory.list({ status, ...query }, { ...noRetries, signal })
      return stocksOf(data, signal)
    },
    fetchByIds: async (ids, signal) => {
      const query = { petId: [...ids], limit: 100 }
      const { data } = await client.inventory.list(query, { ...noRetries, signal })
      return stocksOf(data, signal)
    },
  })
}

export function stockOf({ petId, quantity, status }: InventoryItem): Stock {
  return { id: petId, quantity, status }
}
