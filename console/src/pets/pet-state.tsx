import type { Pet } from '../../../client/src/generated/records.ts'
import { delayedActions } from '../shared/delayed-actions.ts'
import { useStore } from '../shared/store.ts'
import type { Row } from '../table/record-window.ts'
import { PetStatusBadge } from './pet-status-badge.tsx'
import classes from './pets-page.module.css'

/** The status of a pet in the list, or that it is about to leave it. */
export function PetState({ row: { record, mark } }: { row: Row<Pet> }) {
  const isLeaving = useStore(delayedActions).some(({ id }) => id === `pet ${record.id}`)
  if (mark === 'gone') return <span className={classes.gone}>Withdrawn</span>
  if (isLeaving) return <span className={classes.gone}>Withdrawing …</span>
  return <PetStatusBadge status={record.status} />
}
