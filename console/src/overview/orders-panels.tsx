import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Hold } from '../orders/order-columns.tsx'
import { orderStatusBadges } from '../orders/order-statuses.ts'
import { Bars } from './bars.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { PetName } from './stock-panel.tsx'
import { useOrderCount, useOrders, usePetNames } from './use-orders.ts'

const listed = 6

/** How many orders are open. */
export function OpenOrders() {
  const [pending, shipped] = [useOrders('pending'), useOrders('shipped')]
  const failed = [pending, shipped].find(({ isError }) => isError)
  const isPending = pending.isPending || shipped.isPending
  const counts = {
    pending: useOrderCount('pending', pending),
    shipped: useOrderCount('shipped', shipped),
  }
  const bar = (status: keyof typeof counts, label: string) => ({
    key: status,
    label,
    value: counts[status],
    tone: orderStatusBadges[status].tone,
    link: (text: ReactNode) => (
      <Link to="/orders" search={{ status }}>
        {text}
      </Link>
    ),
  })
  const bars = [bar('pending', 'To ship'), bar('shipped', 'On their way')]
  return (
    <Panel title="Open orders" query={failed ?? { ...pending, isPending }} lines={2}>
      <Bars caption="Open orders" unit="Orders" bars={bars} />
    </Panel>
  )
}

/** The holds of pending orders that expire next. */
export function ExpiringHolds() {
  const query = useOrders('pending')
  const { orders, isAll } = query.data ?? { orders: [], isAll: true }
  const holds = orders
    .flatMap((order) => (order.expiresAt === undefined ? [] : [{ ...order, at: order.expiresAt }]))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, listed)
  const names = usePetNames(holds.map(({ petId }) => petId))
  return (
    <Panel title="Next holds to expire" query={query} lines={listed}>
      {holds.length === 0 && (
        <p className={classes.quiet}>
          {isAll
            ? 'No pending order has an expiring hold.'
            : `None of the ${orders.length} oldest pending orders has an expiring hold.`}
        </p>
      )}
      <ul className={classes.list}>
        {holds.map(({ id, petId, at }) => (
          <li key={String(id)}>
            <Link to="/orders" search={{ at: String(id) }}>
              <PetName petId={petId} names={names} />
            </Link>
            <Hold endsAt={at} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
