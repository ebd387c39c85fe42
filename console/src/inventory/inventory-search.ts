import { isPetStatus, type PetStatus } from '../../../src/features/pets/pet-status.ts'
import { parseId } from '../shared/int64-text.ts'

/** What the address of the inventory page says: a status, and the pet that the list begins at. */
export type InventorySearch = { status?: PetStatus; at?: string }

/** Reads the address; what makes no sense there is left out. */
export function readInventorySearch({ status, at }: Record<string, unknown>): InventorySearch {
  return {
    ...(isPetStatus(status) && { status: status as PetStatus }),
    ...(typeof at === 'string' && parseId(at) !== undefined && { at }),
  }
}
