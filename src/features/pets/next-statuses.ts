import type { PetStatus } from '../../contract/pet-status.ts'

/** The allowed changes of the stated status; writing the same status again changes nothing. */
export const nextStatuses: Record<PetStatus, readonly PetStatus[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: ['available'],
}
