import { formatCount, formatPrice } from '../base/format.ts'
import { Instant } from '../shared/instant.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn, PetName, UnlessWaiting } from '../table/cells.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import type { NamedOrder } from './order-list.ts'
import { orderStatusBadges } from './order-statuses.ts'

export const orderColumns: readonly RecordColumn<NamedOrder>[] = [
  idColumn('Order'),
  {
    id: 'pet',
    header: 'Pet, with reference and price of each',
    width: wide,
    phone: 'title',
    cell: ({ record: { petId, petName, reference = '', unitPrice } }) => (
      <span className={classes.named}>
        <PetName id={petId} name={petName} />
        <span className={classes.end} data-optional>
          <UserText text={reference} />
          {unitPrice && <span>{formatPrice(unitPrice)}</span>}
        </span>
      </span>
    ),
  },
  {
    id: 'quantity',
    header: 'Qty',
    cell: ({ record }) => formatCount(record.quantity),
  },
  {
    id: 'status',
    header: 'Status',
    phone: 'detail',
    cell: ({ record }) => <OrderState order={record} />,
  },
  {
    id: 'placed',
    header: 'Placed',
    isOptional: true,
    cell: ({ record }) => <Instant at={record.createdAt} />,
  },
  actionsColumn('side'),
]

/** The status of an order; how long its hold lasts, or what is about to be done to it. */
export function OrderState({ order: { id, status, expiresAt } }: { order: NamedOrder }) {
  return (
    <UnlessWaiting action={`order ${id}`}>
      <span className={classes.line}>
        <StatusBadge {...orderStatusBadges[status]} />
        {status === 'pending' && expiresAt !== undefined && <Hold endsAt={expiresAt} />}
      </span>
    </UnlessWaiting>
  )
}

/** When the hold of an order ends. */
export function Hold({ endsAt }: { endsAt: string }) {
  return <Instant at={endsAt} ahead="hold ends" className={classes.quiet} />
}
