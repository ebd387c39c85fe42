import { isPetStatus, type PetStatus } from '../../../src/contract/pet-status.ts'
import { isIdText, searchReader } from '../base/search-params.ts'

/** What the address of the inventory page says: a status, and the pet that the list begins at. */
export type StockSearch = { status?: PetStatus; at?: string }

export const readStockSearch = searchReader<StockSearch>({ status: isPetStatus, at: isIdText })
