import type { InventoryChange, InventoryItem } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { client, once } from '../api/client.ts'
import { fetchPetNames } from '../api/pet-names.ts'
import { type Saver, type Saving, useSave } from '../api/use-save.ts'
import { useMay } from '../session/session.ts'
import { parseId } from '../shared/int64-text.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'
import type { InventorySearch } from './inventory-search.ts'

/** The stock of a pet, with the pet's name where the key may read pets. */
export type Stock = Pick<InventoryItem, 'quantity' | 'status'> & { id: Int64; name?: string }

/** The stock of the pets that match the address, in ascending order of their ids. */
export function useInventory({ status, at }: InventorySearch): RecordList<Stock> {
  const canReadPets = useMay('pets:read')
  const withNames = (items: readonly InventoryItem[], signal: AbortSignal) =>
    canReadPets ? nameItems(items, signal) : items.map(stockOf)
  return useRecordList<Stock>({
    key: ['inventory', status, canReadPets],
    order: 'id',
    at: at === undefined ? undefined : parseId(at),
    fetchPage: async (query, signal) => {
      const { data } = await client.inventory.list({ status, ...query }, { ...once, signal })
      return withNames(data, signal)
    },
    fetchByIds: async (ids, signal) => {
      const query = { petId: [...ids], limit: 100 }
      const { data } = await client.inventory.list(query, { ...once, signal })
      return withNames(data, signal)
    },
  })
}

const saver: Saver<Stock, number, Partial<InventoryChange>> = {
  kind: 'inventory',
  fieldNames: ['quantity'],
  async fetchVersion(petId, signal) {
    const call = client.inventory.get(petId, { ...once, signal })
    const { data, etag } = await call.withResponse()
    return { record: stockOf(data), etag }
  },
  changeOf: (wanted, { quantity }) => (wanted === quantity ? {} : { quantity: wanted }),
  update: async (petId, change, ifMatch) =>
    stockOf(await client.inventory.update(petId, change as InventoryChange, { ifMatch })),
}

/** Sets the stock of a pet. */
export function useSaveStock({ id, quantity, status }: Stock): Saving<Stock, number> {
  return useSave(saver, { id, quantity, status })
}

function stockOf({ petId, quantity, status }: InventoryItem): Stock {
  return { id: petId, quantity, status }
}

/** A pet that was withdrawn meanwhile has no name. */
async function nameItems(items: readonly InventoryItem[], signal: AbortSignal): Promise<Stock[]> {
  const names = await fetchPetNames(
    items.map(({ petId }) => petId),
    signal,
  )
  return items.map((item) => {
    const name = names.get(String(item.petId))
    return { ...stockOf(item), ...(name === undefined ? {} : { name }) }
  })
}
