import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
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
    width: 'minmax(4.5rem, 8rem)',
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

type LeavingProps = {
  /** The name of the delayed action. */
  action: string
  /** Shown while it waits. */
  word: string
  children: ReactNode
}

/** What a record says, or that it is about to be deleted. */
export function UnlessLeaving({ action, word, children }: LeavingProps) {
  const isLeaving = useStore(delayedActions).some(({ id }) => id === action)
  return isLeaving ? <span className={classes.quiet}>{word}</span> : children
}
