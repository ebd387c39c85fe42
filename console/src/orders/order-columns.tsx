import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IdText } from '../shared/id-text.tsx'
import { count, instant } from '../shared/numbers.ts'
import { UserText } from '../shared/user-text.tsx'
import { type Columns, columnsOf } from '../table/columns.ts'
import { OrderState } from './order-state.tsx'
import { type Move, nextMoves } from './order-statuses.ts'
import classes from './orders-page.module.css'
import type { MoveOrder } from './use-move-order.ts'
import type { NamedOrder } from './use-orders.ts'

const column = columnsOf<NamedOrder>()

const labels: Record<Move, string> = { ship: 'Ship', deliver: 'Deliver', cancel: 'Cancel' }

type Actions = MoveOrder & { canWrite: boolean; canReadPets: boolean }

/** The columns of the orders, with the moves that each may make. */
export function orderColumns(actions: Actions): Columns<NamedOrder> {
  return column.columns([
    column.display({
      id: 'id',
      header: 'Order',
      cell: ({ row }) => <IdText id={row.original.record.id} of="order" isInGrid />,
    }),
    column.display({
      id: 'pet',
      header: 'Pet',
      cell: ({ row }) => (
        <OrderedPet order={row.original.record} canReadPets={actions.canReadPets} />
      ),
    }),
    column.display({
      id: 'quantity',
      header: 'Quantity',
      cell: ({ row }) => (
        <span className={classes.number}>{count(row.original.record.quantity)}</span>
      ),
    }),
    column.display({
      id: 'status',
      header: 'Status',
      cell: ({ row }) => <OrderState order={row.original.record} />,
    }),
    column.display({
      id: 'placed',
      header: 'Placed',
      cell: ({ row }) => {
        const { createdAt } = row.original.record
        return <time dateTime={createdAt}>{instant(createdAt)}</time>
      },
    }),
    column.display({
      id: 'reference',
      header: 'Reference',
      cell: ({ row }) => <UserText text={row.original.record.reference ?? ''} />,
    }),
    column.display({
      id: 'actions',
      header: () => <span className={classes.unseen}>Actions</span>,
      cell: ({ row }) =>
        actions.canWrite && <OrderMoves order={row.original.record} {...actions} />,
    }),
  ]) as Columns<NamedOrder>
}

function OrderedPet({ order, canReadPets }: { order: NamedOrder; canReadPets: boolean }) {
  const { petId, petName } = order
  if (!canReadPets || petName === undefined) {
    return <span className={classes.quiet}>Pet {String(petId)}</span>
  }
  return (
    <Link to="/pets" search={{ at: String(petId) }} tabIndex={-1} className={classes.pet}>
      <UserText text={petName} />
    </Link>
  )
}

function OrderMoves({ order, move, isMoving }: { order: NamedOrder } & MoveOrder) {
  return (
    <span className={classes.moves}>
      {(nextMoves[order.status] ?? []).map((to) => (
        <Button
          key={to}
          size="compact-sm"
          variant={to === 'cancel' ? 'subtle' : 'light'}
          {...(to === 'cancel' ? { color: 'gray' } : {})}
          tabIndex={-1}
          aria-label={`${labels[to]} order ${order.id}`}
          disabled={isMoving(order)}
          onClick={(event) => {
            event.stopPropagation()
            move(order, to)
          }}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          {labels[to]}
        </Button>
      ))}
    </span>
  )
}
