import { delayedActions } from '../shared/delayed-actions.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { useStore } from '../shared/store.ts'
import { HoldCountdown } from './hold-countdown.tsx'
import { orderLooks } from './order-statuses.ts'
import classes from './orders-page.module.css'
import type { NamedOrder } from './use-orders.ts'

/** The status of an order; how long its hold lasts, or that it is about to be cancelled. */
export function OrderState({ order }: { order: NamedOrder }) {
  const isLeaving = useStore(delayedActions).some(({ id }) => id === `order ${order.id}`)
  if (isLeaving) return <span className={classes.quiet}>Cancelling …</span>
  const { status, expiresAt } = order
  return (
    <span className={classes.state}>
      <StatusBadge {...orderLooks[status]} />
      {status === 'pending' && expiresAt !== undefined && <HoldCountdown expiresAt={expiresAt} />}
    </span>
  )
}
