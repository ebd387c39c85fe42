import { SegmentedControl } from '@mantine/core'
import { type PetStatus, petStatuses } from '../../../src/contract/pet-status.ts'
import classes from '../filters/filters.module.css'
import { petStatusBadges } from './pet-statuses.ts'

const statuses = petStatuses.map((value) => ({ value, label: petStatusBadges[value].label }))

type Props = { status: PetStatus | undefined; setStatus(status: PetStatus | undefined): void }

/** Limits a list to the pets of one status. */
export function PetStatusFilter({ status, setStatus }: Props) {
  return (
    <SegmentedControl
      className={classes.segments}
      aria-label="Status"
      value={status ?? 'all'}
      onChange={(value) => setStatus(statuses.find((one) => one.value === value)?.value)}
      data={[{ value: 'all', label: 'All' }, ...statuses]}
    />
  )
}
