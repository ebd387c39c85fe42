import { petStatuses } from '../../../src/contract/pet-status.ts'
import { reader } from '../api/client.ts'
import { useHasScope } from '../api/session.ts'
import { dayOf } from '../base/days.ts'
import { type OrderSearch, orderFilter } from '../orders/order-list.ts'
import { orderStatusBadges } from '../orders/order-statuses.ts'
import { type PetSearch, petFilter } from '../pets/pet-list.ts'
import { petStatusBadges } from '../pets/pet-status.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { type CountLine, CountPanel } from './count-panel.tsx'
import { ExpiringHolds } from './expiring-holds.tsx'
import classes from './overview-page.module.css'
import { RecentEvents } from './recent-events.tsx'
import { LowStockPanel } from './stock-panel.tsx'

const orders = {
  kind: 'order',
  to: '/orders',
  counting: (search: OrderSearch) => (options: { signal: AbortSignal; count: true }) =>
    reader.orders.list({ ...orderFilter(search), limit: 1 }, options),
} as const

const openOrders: readonly CountLine<OrderSearch>[] = [
  { label: 'To ship', search: { status: 'pending' }, tone: orderStatusBadges.pending.tone },
  { label: 'On their way', search: { status: 'shipped' }, tone: orderStatusBadges.shipped.tone },
]

const petsByStatus: readonly CountLine<PetSearch>[] = [
  { label: 'All', search: {} },
  ...petStatuses.map((status) => ({ ...petStatusBadges[status], search: { status } })),
]

const shownDays = 7
const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })

/** The orders of each of the last seven days. */
function lastDays(): CountLine<OrderSearch>[] {
  return Array.from({ length: shownDays }, (_, before) => {
    const day = dayOf(new Date(), before)
    const search = { from: day, to: day }
    const label = before === 0 ? 'Today' : weekdays.format(new Date(`${day}T12:00`))
    return { label, search, sold: { ...search, status: 'delivered' }, tone: 'good' }
  })
}

/** The state of the store at a glance: what the key may read of it. */
export function OverviewPage() {
  const canReadPets = useHasScope('pets:read')
  const canReadOrders = useHasScope('orders:read')
  const canReadStock = useHasScope('inventory:read')
  return (
    <>
      <PageHead detail="Pets, orders and stock at a glance" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it, also while nothing in it can have the focus */}
      <section className={classes.scroller} aria-label="Figures" tabIndex={0}>
        <div className={classes.panels}>
          {canReadOrders && (
            <>
              <CountPanel
                {...orders}
                title="Orders of the last seven days"
                unit="Placed, and sold of those"
                lines={lastDays()}
              />
              <CountPanel {...orders} title="Open orders" unit="Orders" lines={openOrders} />
            </>
          )}
          {canReadPets && (
            <CountPanel
              title="Pets by status"
              unit="Pets"
              kind="pet"
              to="/pets"
              lines={petsByStatus}
              counting={(search) => (options) =>
                reader.pets.list({ ...petFilter(search), limit: 1 }, options)
              }
            />
          )}
          {canReadOrders && <ExpiringHolds />}
          {canReadStock && canReadOrders && <LowStockPanel />}
          <RecentEvents />
        </div>
      </section>
    </>
  )
}
