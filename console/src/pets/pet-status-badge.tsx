import type { PetStatus } from '../../../src/contract/pet-status.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { petStatusBadges } from './pet-statuses.ts'

/** The status of a pet; it may have none. */
export function PetStatusBadge({ status }: { status: PetStatus | undefined }) {
  return status === undefined ? (
    <StatusBadge tone="none" label="No status" />
  ) : (
    <StatusBadge {...petStatusBadges[status]} />
  )
}
