import { isPetStatus, type PetStatus } from '../../../src/contract/pet-status.ts'
import { isIdText } from '../base/search-params.ts'

/** What the address of the inventory page says: a status, and the pet that the list begins at. */
export type StockSearch = { status?: PetStatus; at?: string }

/** Reads the address; what makes no sense there is left out. */
export function readStockSearch({ status, at }: Record<string, unknown>): StockSearch {
  return {
    ...(isPetStatus(status) && { status: status as PetStatus }),
    ...(isIdText(at) && { at }),
  }
}
