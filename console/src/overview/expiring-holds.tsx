import { Link } from '@tanstack/react-router'
import { Hold } from '../orders/order-columns.tsx'
import { PetName } from '../table/cells.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { useOrders } from './use-orders.ts'

const listed = 6

/** The holds of pending orders that expire next. */
export function ExpiringHolds() {
  const query = useOrders('pending')
  const { orders, isAll } = query.data ?? { orders: [], isAll: true }
  const holds = orders
    .flatMap((order) => (order.expiresAt === undefined ? [] : [{ ...order, at: order.expiresAt }]))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, listed)
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
        {holds.map(({ id, petId, petName, at }) => (
          <li key={String(id)}>
            <Link to="/orders" search={{ at: String(id) }}>
              <PetName id={petId} name={petName} />
            </Link>
            <Hold endsAt={at} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
