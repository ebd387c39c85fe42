import { Link } from '@tanstack/react-router'
import type { Int64 } from '../../../client/src/index.ts'
import { uniqueIds } from '../api/pet-names.ts'
import { formatCount } from '../base/format.ts'
import { UserText } from '../shared/user-text.tsx'
import { type LowStock, listLowStock, lowStockMax } from './low-stock.ts'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { useOrders, usePetNames, useStockOf } from './use-orders.ts'

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
  const names = usePetNames(shown.map(({ petId }) => petId))
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
          : `Recently ordered pets with ${lowStockMax} or fewer left to sell`}
      </p>
      <ul className={classes.list}>
        {shown.map((low) => (
          <li key={String(low.petId)}>
            <Link to="/inventory" search={{ at: String(low.petId) }}>
              <PetName petId={low.petId} names={names} />
            </Link>
            <span className={classes.quiet}>{describe(low, isAllKnown)}</span>
          </li>
        ))}
      </ul>
      {rows.length > listed && (
        <p className={classes.quiet}>and {formatCount(rows.length - listed)} more</p>
      )}
    </Panel>
  )
}

function describe({ quantity, free }: LowStock, isAllKnown: boolean): string {
  if (free > 0)
    return `${isAllKnown ? '' : 'at most '}${formatCount(free)} left of ${formatCount(quantity)}`
  if (quantity === 0) return 'sold out'
  return `none left, ${formatCount(quantity)} held by orders`
}

/** The name of a pet; its number where the name is not known. */
export function PetName({ petId, names }: { petId: Int64; names: ReadonlyMap<string, string> }) {
  const name = names.get(String(petId))
  return name === undefined ? `Pet ${petId}` : <UserText text={name} />
}
