import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { petStatuses } from '../../../src/contract/pet-status.ts'
import { reader } from '../api/client.ts'
import { type Count, type Counting, countsOptions } from '../api/counts.ts'
import { orderStatusBadges } from '../orders/order-statuses.ts'
import { petStatusBadges } from '../pets/pet-status.tsx'
import { CountText } from '../shared/count-text.tsx'
import { Bars } from './bars.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'

/** How many orders are open. */
export function OpenOrders() {
  const query = useStatusCounts(
    'order',
    ['pending', 'shipped'],
    (status) => (options) => reader.orders.list({ status, limit: 1 }, options),
  )
  const labels = { pending: 'To ship', shipped: 'On their way' }
  const bars = query.data?.value.map(({ status, count }) => ({
    key: status,
    label: labels[status],
    value: count,
    tone: orderStatusBadges[status].tone,
    link: (text: ReactNode) => (
      <Link to="/orders" search={{ status }}>
        {text}
      </Link>
    ),
  }))
  return (
    <Panel title="Open orders" query={query} lines={2}>
      <Bars caption="Open orders" unit="Orders" bars={bars ?? []} />
    </Panel>
  )
}

/** How many pets there are of each status, and in all. */
export function PetsByStatus() {
  const query = useStatusCounts(
    'pet',
    [undefined, ...petStatuses],
    (status) => (options) => reader.pets.list({ ...(status && { status }), limit: 1 }, options),
  )
  const counts = query.data?.value ?? []
  const bars = counts.flatMap(({ status, count }) =>
    status === undefined
      ? []
      : {
          key: status,
          ...petStatusBadges[status],
          value: count,
          link: (text: ReactNode) => (
            <Link to="/pets" search={{ status }}>
              {text}
            </Link>
          ),
        },
  )
  return (
    <Panel title="Pets by status" query={query} lines={4}>
      <p className={classes.figure}>
        <Link to="/pets">
          <CountText value={counts[0]?.count} />{' '}
          <span className={classes.quiet}>pets in total</span>
        </Link>
      </p>
      <Bars caption="Pets by status" unit="Pets" bars={bars} />
    </Panel>
  )
}

/** How many records of a kind there are of each status. */
function useStatusCounts<Status extends string | undefined>(
  kind: string,
  statuses: readonly Status[],
  counting: (status: Status) => Counting,
) {
  return useQuery({
    ...countsOptions(kind, async (count) => {
      const counts: { status: Status; count: Count }[] = []
      for (const status of statuses) counts.push({ status, count: await count(counting(status)) })
      return counts
    }),
    queryKey: ['count', `${kind}s by status`],
  })
}
