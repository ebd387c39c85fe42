import { formatCount } from '../base/format.ts'
import { Instant } from '../shared/instant.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn, PetLink, UnlessWaiting } from '../table/cells.tsx'
import type { RecordColumn } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import { HoldCountdown } from './hold-countdown.tsx'
import type { NamedOrder } from './order-list.ts'
import { orderStatusBadges } from './order-statuses.ts'

export const orderColumns: readonly RecordColumn<NamedOrder>[] = [
  idColumn('order', 'Order'),
  {
    id: 'pet',
    header: 'Pet',
    width: 'minmax(8rem, 4fr)',
    phone: 'title',
    cell: ({ record: { petId, petName } }) => <PetLink id={petId} name={petName} />,
  },
  {
    id: 'quantity',
    header: 'Quantity',
    width: '4.5rem',
    cell: ({ record }) => <span className={classes.number}>{formatCount(record.quantity)}</span>,
  },
  {
    id: 'status',
    header: 'Status',
    width: 'minmax(8.5rem, 2fr)',
    phone: 'detail',
    cell: ({ record }) => <OrderState order={record} />,
  },
  {
    id: 'placed',
    header: 'Placed',
    width: '10.75rem',
    isOptional: true,
    cell: ({ record }) => <Instant at={record.createdAt} />,
  },
  {
    id: 'reference',
    header: 'Reference',
    width: 'minmax(5rem, 1.5fr)',
    isOptional: true,
    cell: ({ record }) => <UserText text={record.reference ?? ''} />,
  },
  actionsColumn('8rem', 'aside'),
]

/** The status of an order; how long its hold lasts, or what is about to be done to it. */
export function OrderState({ order: { id, status, expiresAt } }: { order: NamedOrder }) {
  return (
    <UnlessWaiting action={`order ${id}`}>
      <span className={classes.line}>
        <StatusBadge {...orderStatusBadges[status]} />
        {status === 'pending' && expiresAt !== undefined && <HoldCountdown expiresAt={expiresAt} />}
      </span>
    </UnlessWaiting>
  )
}
