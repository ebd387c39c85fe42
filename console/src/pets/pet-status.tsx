import { SegmentedControl } from '@mantine/core'
import { type PetStatus, petStatuses } from '../../../src/contract/pet-status.ts'
import { nextStatuses } from '../../../src/features/pets/next-statuses.ts'
import classes from '../filters/filters.module.css'
import { useFilter } from '../filters/use-address.ts'
import { StatusBadge } from '../shared/status-badge.tsx'

/** How a status reads, and how it looks. */
export const petStatusBadges = {
  available: { label: 'Available', tone: 'good' },
  pending: { label: 'Pending', tone: 'waiting' },
  sold: { label: 'Sold', tone: 'over' },
} as const satisfies Record<PetStatus, object>

export const petStatusOptions = petStatuses.map((value) => ({
  value,
  label: petStatusBadges[value].label,
}))

/** The statuses that a pet may get: it may keep its own, and one without may get any. */
export function offeredStatuses(current: PetStatus | undefined): readonly PetStatus[] {
  return current === undefined ? petStatuses : [current, ...nextStatuses[current]]
}

/** The status of a pet; it may have none. */
export function PetStatusBadge({ status }: { status: PetStatus | undefined }) {
  return status === undefined ? (
    <StatusBadge tone="none" label="No status" />
  ) : (
    <StatusBadge {...petStatusBadges[status]} />
  )
}

/** Limits a list to the pets of one status. */
export function PetStatusFilter() {
  const [status, setStatus] = useFilter('status')
  return (
    <SegmentedControl
      className={classes.segments}
      aria-label="Status"
      value={status ?? 'all'}
      onChange={(value) => setStatus(value === 'all' ? undefined : value)}
      data={[{ value: 'all', label: 'All' }, ...petStatusOptions]}
    />
  )
}
