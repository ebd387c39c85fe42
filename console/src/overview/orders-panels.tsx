import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client, once } from '../api/client.ts'
import { fetchPetNames } from '../api/pet-names.ts'
import { lookEveryMs } from '../api/query-client.ts'
import { HoldCountdown } from '../orders/hold-countdown.tsx'
import { useMay } from '../session/session.ts'
import { UserText } from '../shared/user-text.tsx'
import { Bars } from './bars.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { useOrderCounts } from './use-counts.ts'

const listed = 6

/** How many orders are open. */
export function OpenOrders() {
  const query = useOrderCounts(true)
  const { pending, shipped } = query.data ?? {}
  const link = (status: 'pending' | 'shipped', label: string) => (
    <Link to="/orders" search={{ status }}>
      {label}
    </Link>
  )
  return (
    <Panel title="Open orders" query={query} lines={2}>
      <Bars
        caption="Open orders"
        unit="Orders"
        bars={[
          {
            key: 'pending',
            label: link('pending', 'To ship'),
            value: pending ?? 0,
            tone: 'waiting',
          },
          {
            key: 'shipped',
            label: link('shipped', 'On their way'),
            value: shipped ?? 0,
            tone: 'good',
          },
        ]}
      />
    </Panel>
  )
}

/** The holds that expire next: those of the oldest pending orders. */
export function ExpiringHolds() {
  const canReadPets = useMay('pets:read')
  const query = useQuery({
    queryKey: ['expiring holds', canReadPets],
    refetchInterval: lookEveryMs,
    structuralSharing: false,
    async queryFn({ signal }) {
      const { data } = await client.orders.list(
        { status: 'pending', limit: listed },
        { ...once, signal },
      )
      const holds = data.filter(({ expiresAt }) => expiresAt !== undefined)
      const petIds = holds.map(({ petId }) => petId)
      const names = canReadPets ? await fetchPetNames(petIds, signal) : new Map<string, string>()
      return holds.map((order) => ({ order, petName: names.get(String(order.petId)) }))
    },
  })
  const holds = query.data ?? []
  return (
    <Panel title="Holds that expire next" query={query} lines={listed}>
      {holds.length === 0 ? (
        <p className={classes.quiet}>No pending order has a hold that expires.</p>
      ) : (
        <ul className={classes.list}>
          {holds.map(({ order, petName }) => (
            <li key={String(order.id)}>
              <Link to="/orders" search={{ at: String(order.id) }}>
                {petName === undefined ? `Order ${order.id}` : <UserText text={petName} />}
              </Link>
              {order.expiresAt !== undefined && <HoldCountdown expiresAt={order.expiresAt} />}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
