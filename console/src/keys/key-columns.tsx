import type { Key } from '../../../client/src/index.ts'
import { formatDay } from '../base/format.ts'
import { Instant } from '../shared/instant.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn, UnlessWaiting } from '../table/cells.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import { describeGrants, useOwnKey } from './grants.ts'

export const keyColumns: readonly RecordColumn<Key>[] = [
  idColumn('Id'),
  {
    id: 'name',
    header: 'Name',
    phone: 'title',
    cell: ({ record }) => <KeyName row={record} />,
  },
  {
    id: 'grants',
    header: 'Allowed to',
    width: wide,
    phone: 'detail',
    cell: ({ record }) => <UserText text={describeGrants(record.scopes)} />,
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ record: { lastUsedAt } }) => <LastUse instant={lastUsedAt} />,
  },
  {
    id: 'state',
    header: 'State',
    phone: 'aside',
    cell: ({ record }) => <KeyState row={record} />,
  },
  actionsColumn(),
]

function KeyName({ row: { id, name } }: { row: Key }) {
  const isOwn = useOwnKey()?.id === id
  return (
    <span className={classes.named}>
      <UserText text={name} />
      {isOwn && <span className={classes.quiet}>(yours)</span>}
    </span>
  )
}

export function LastUse({ instant }: { instant: string | undefined }) {
  if (instant === undefined) return <span className={classes.quiet}>Never</span>
  return <Instant at={instant} />
}

/** Whether a key is accepted, and until when; or what is about to be done to it. */
export function KeyState({ row: { id, revokedAt, expiresAt } }: { row: Key }) {
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
  const label =
    revokedAt !== undefined
      ? 'Revoked'
      : isExpired
        ? 'Expired'
        : expiresAt === undefined
          ? 'Valid'
          : `Until ${formatDay(expiresAt)}`
  return (
    <UnlessWaiting action={`key ${id}`}>
      <StatusBadge tone={revokedAt !== undefined || isExpired ? 'over' : 'good'} label={label} />
    </UnlessWaiting>
  )
}
