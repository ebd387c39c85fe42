import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { useHasScope } from '../api/session.ts'
import { useStore } from '../base/store.ts'
import { delayedActions } from '../shared/delayed-actions.ts'
import { IdText } from '../shared/id-text.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from './cells.module.css'
import type { RecordColumn } from './columns.ts'
import type { Identified } from './record-window.ts'

/** The column of the ids; a click copies one. */
export function idColumn<T extends Identified>(kind: string, header: string): RecordColumn<T> {
  return {
    id: 'id',
    header,
    width: 'minmax(4.5rem, 0.4fr)',
    phone: 'corner',
    cell: ({ record }) => <IdText id={record.id} of={kind} isInGrid />,
  }
}

/** The name of a pet, which leads to it; its number where the name is not known. */
export function PetLink({ id, name }: { id: Int64; name: string | undefined }) {
  const canReadPets = useHasScope('pets:read')
  if (!canReadPets || name === undefined) {
    return <span className={classes.quiet}>Pet {String(id)}</span>
  }
  return (
    <Link to="/pets" search={{ at: String(id) }} tabIndex={-1} className={classes.link}>
      <UserText text={name} />
    </Link>
  )
}

type WaitingProps = {
  /** The id of the delayed action. */
  action: string
  children: ReactNode
}

/** What a record says, or what is about to be done to it, such as `Withdrawing …`. */
export function UnlessWaiting({ action, children }: WaitingProps) {
  const waiting = useStore(delayedActions).find(({ id }) => id === action)
  if (waiting === undefined) return children
  return <span className={classes.quiet}>{waiting.verb.split(' ')[0]} …</span>
}
