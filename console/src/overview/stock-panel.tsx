import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { uniqueIds, withPetNames } from '../api/pet-names.ts'
import { formatCount } from '../base/format.ts'
import { PetName } from '../table/cells.tsx'
import { type LowStock, listLowStock, lowStockMax } from './low-stock.ts'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'

const listed = 8
/** The most that the service sends at once. */
const pageSize = 100

/** `isAllKnown`: there are no other open orders. */
type Found = { low: readonly (LowStock & { petName?: string })[]; isAllKnown: boolean }

/** Ordered pets of which few or none are left to sell. */
export function LowStockPanel() {
  const query = useQuery({
    ...following<Found>(['order', 'inventory', 'pet']),
    queryKey: ['low stock'],
    queryFn: ({ signal }) => findLowStock(signal),
  })
  const { low, isAllKnown } = query.data ?? { low: [], isAllKnown: true }
  return (
    <Panel title="Low stock" query={query} lines={listed}>
      <p className={classes.quiet}>
        {low.length === 0
          ? `Every recently ordered pet has more than ${lowStockMax} left to sell.`
          : `Recently ordered pets with ${lowStockMax} or fewer left to sell, the fewest first`}
      </p>
      <ul className={classes.list}>
        {low.map((one) => (
          <li key={String(one.petId)}>
            <Link to="/inventory" search={{ at: String(one.petId) }}>
              <PetName id={one.petId} name={one.petName} />
            </Link>
            <span className={classes.quiet}>{describe(one, isAllKnown)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

async function findLowStock(signal: AbortSignal): Promise<Found> {
  const list = (status: 'pending' | 'shipped' | 'delivered') =>
    reader.orders.list({ status, sort: '-id', limit: pageSize }, { signal })
  const pages = await Promise.all([list('pending'), list('shipped'), list('delivered')])
  const [pending, shipped, delivered] = pages
  const petId = uniqueIds(pages.flatMap(({ data }) => data.map(({ petId }) => petId)))
  const limited = { petId: petId.slice(0, pageSize), limit: pageSize }
  const stock = petId.length === 0 ? [] : (await reader.inventory.list(limited, { signal })).data
  const open = [...pending.data, ...shipped.data]
  const low = listLowStock(stock, { open, delivered: delivered.data }).slice(0, listed)
  const named = await withPetNames(
    { data: low, nextCursor: undefined },
    ({ petId }) => petId,
    signal,
  )
  const isAllKnown = pending.nextCursor === undefined && shipped.nextCursor === undefined
  return { low: named.data, isAllKnown }
}

function describe({ quantity, free }: LowStock, isAllKnown: boolean): string {
  if (free > 0)
    return `${isAllKnown ? '' : 'at most '}${formatCount(free)} left of ${formatCount(quantity)}`
  if (quantity === 0) return 'sold out'
  return `none left, ${formatCount(quantity)} held by orders`
}
