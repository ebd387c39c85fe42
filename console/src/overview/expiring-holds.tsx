import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { withPetNames } from '../api/pet-names.ts'
import { Hold } from '../orders/order-columns.tsx'
import type { NamedOrder } from '../orders/order-list.ts'
import { PetName } from '../table/cells.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'

const [listed, readMax] = [6, 100]

type Found = { holds: readonly (NamedOrder & { expiresAt: string })[]; isAll: boolean }

/** The holds of pending orders that expire next. */
export function ExpiringHolds() {
  const query = useQuery({
    ...following<Found>(['order']),
    queryKey: ['holds'],
    async queryFn({ signal }): Promise<Found> {
      const oldest = { status: 'pending', limit: readMax } as const
      const { data, nextCursor } = await reader.orders.list(oldest, { signal })
      const holds = data
        .flatMap(({ expiresAt, ...order }) => (expiresAt ? { ...order, expiresAt } : []))
        .sort((one, other) => (one.expiresAt < other.expiresAt ? -1 : 1))
        .slice(0, listed)
      const named = await withPetNames({ data: holds, nextCursor }, ({ petId }) => petId, signal)
      return { holds: named.data, isAll: nextCursor === undefined }
    },
  })
  const { holds, isAll } = query.data ?? { holds: [], isAll: true }
  return (
    <Panel title="Next holds to expire" query={query} lines={listed}>
      {holds.length === 0 && (
        <p className={classes.quiet}>
          {isAll
            ? 'No pending order has an expiring hold.'
            : `None of the ${readMax} oldest pending orders has an expiring hold.`}
        </p>
      )}
      <ul className={classes.list}>
        {holds.map(({ id, petId, petName, expiresAt }) => (
          <li key={String(id)}>
            <Link to="/orders" search={{ at: String(id) }}>
              <PetName id={petId} name={petName} />
            </Link>
            <Hold endsAt={expiresAt} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
