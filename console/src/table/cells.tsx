import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { useHasScope } from '../api/session.ts'
import { useStore } from '../base/store.ts'
import { delayedActions } from '../shared/delayed-actions.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from './cells.module.css'
import type { RecordColumn } from './columns.ts'
import type { Identified } from './record-window.ts'

/** The column of the ids. */
export function idColumn<T extends Identified>(header: string): RecordColumn<T> {
  return {
    id: 'id',
    header,
    phone: 'corner',
    cell: ({ record }) => <span className={classes.quiet}>{String(record.id)}</span>,
  }
}

type PetProps = { id: Int64; name: string | undefined }

/** The name of a pet; its number where the name is not known. */
export function PetName({ id, name }: PetProps) {
  return name === undefined ? (
    <span className={classes.quiet}>Pet {String(id)}</span>
  ) : (
    <UserText text={name} />
  )
}

/** The same, which leads to the pet. */
export function PetLink({ id, name }: PetProps) {
  const canReadPets = useHasScope('pets:read')
  if (!canReadPets || name === undefined) return <PetName id={id} name={name} />
  return (
    <Link to="/pets" search={{ at: String(id) }} className={classes.link}>
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
