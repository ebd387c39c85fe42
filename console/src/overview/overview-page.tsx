import { environment } from '../api/page-context.ts'
import { useHasScope } from '../api/session.ts'
import { Notice } from '../shared/notice.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { ExpiringHolds } from './expiring-holds.tsx'
import { OrdersByDay } from './orders-by-day.tsx'
import classes from './overview-page.module.css'
import { RecentEvents } from './recent-events.tsx'
import { OpenOrders, PetsByStatus } from './status-panels.tsx'
import { LowStockPanel } from './stock-panel.tsx'

/** The state of the store at a glance: what the key may read of it. */
export function OverviewPage() {
  const canReadPets = useHasScope('pets:read')
  const canReadOrders = useHasScope('orders:read')
  const canReadStock = useHasScope('inventory:read')
  const detail =
    environment === 'staging'
      ? 'Staging: nothing here is for sale'
      : 'Pets, orders and stock at a glance'
  return (
    <>
      <PageHead detail={detail} />
      {!canReadPets && !canReadOrders && !canReadStock && (
        <Notice
          title="Nothing to show"
          text="This key may not read pets, orders or the inventory."
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it, also while nothing in it can have the focus */}
      <section className={classes.scroller} aria-label="Figures" tabIndex={0}>
        <div className={classes.panels}>
          {canReadOrders && <OrdersByDay />}
          {canReadOrders && <OpenOrders />}
          {canReadPets && <PetsByStatus />}
          {canReadOrders && <ExpiringHolds />}
          {canReadStock && canReadOrders && <LowStockPanel />}
          {(canReadPets || canReadOrders || canReadStock) && <RecentEvents />}
        </div>
      </section>
    </>
  )
}
