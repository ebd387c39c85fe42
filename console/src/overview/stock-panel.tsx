import { Link } from '@tanstack/react-router'
import { uniqueIds } from '../api/pet-names.ts'
import { formatCount } from '../base/format.ts'
import { PetName } from '../table/cells.tsx'
import { type LowStock, listLowStock, lowStockMax } from './low-stock.ts'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { useOrders, useStockOf } from './use-orders.ts'

const listed = 8

/** Ordered pets of which few or none are left to sell. */
export function LowStockPanel() {
  const pending = useOrders('pending')
  const shipped = useOrders('shipped')
  const delivered = useOrders('delivered')
  const open = [...(pending.data?.orders ?? []), ...(shipped.data?.orders ?? [])]
  const closed = delivered.data?.orders ?? []
  const isAllKnown = pending.data?.isAll === true && shipped.data?.isAll === true
  const stock = useStockOf(uniqueIds([...open, ...closed].map(({ petId }) => petId)))
  const rows = listLowStock(stock.data ?? [], { open, delivered: closed })
  const shown = rows.slice(0, listed)
  const names = new Map([...open, ...closed].map(({ petId, petName }) => [petId, petName]))
  const failed = [pending, shipped, delivered, stock].find(({ isError }) => isError)
  const isPending =
    pending.isPending ||
    shipped.isPending ||
    delivered.isPending ||
    (stock.isPending && open.length + closed.length > 0)
  return (
    <Panel title="Low stock" query={failed ?? { ...stock, isPending }} lines={listed}>
      <p className={classes.quiet}>
        {rows.length === 0
          ? `Every recently ordered pet has more than ${lowStockMax} left to sell.`
          : `Recently ordered pets with ${lowStockMax} or fewer left to sell, the fewest first`}
      </p>
      <ul className={classes.list}>
        {shown.map((low) => (
          <li key={String(low.petId)}>
            <Link to="/inventory" search={{ at: String(low.petId) }}>
              <PetName id={low.petId} name={names.get(low.petId)} />
            </Link>
            <span className={classes.quiet}>{describe(low, isAllKnown)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function describe({ quantity, free }: LowStock, isAllKnown: boolean): string {
  if (free > 0)
    return `${isAllKnown ? '' : 'at most '}${formatCount(free)} left of ${formatCount(quantity)}`
  if (quantity === 0) return 'sold out'
  return `none left, ${formatCount(quantity)} held by orders`
}
