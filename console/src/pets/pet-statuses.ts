import { type PetStatus, petStatuses } from '../../../src/contract/pet-status.ts'
import { nextStatuses } from '../../../src/features/pets/next-statuses.ts'

/** How a status reads, and how it looks. */
export const petStatusBadges = {
  available: { label: 'Available', tone: 'good' },
  pending: { label: 'Pending', tone: 'waiting' },
  sold: { label: 'Sold', tone: 'over' },
} as const satisfies Record<PetStatus, object>

/** The statuses that a pet may get: it may keep its own, and one without may get any. */
export function offeredStatuses(current: PetStatus | undefined): readonly PetStatus[] {
  return current === undefined ? petStatuses : [current, ...nextStatuses[current]]
}
