import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { reader } from '../api/client.ts'
import { type Count, countsOptions } from '../api/counts.ts'
import { dayOf, startOfDay } from '../base/days.ts'
import { CountText } from '../shared/count-text.tsx'
import { Bars } from './bars.tsx'
import { Panel } from './panel.tsx'

const shownDays = 7
const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })

/** How many orders were placed on each of the last seven days, and how many of those are sold. */
export function OrdersByDay() {
  const today = dayOf(new Date())
  const query = useQuery({
    ...countsOptions('order', async (count) => {
      const days: { day: string; placed: Count; sold: Count }[] = []
      for (let before = 0; before < shownDays; before++) {
        const day = dayOf(new Date(), before)
        const placedThen = {
          createdAfter: startOfDay(day),
          createdBefore: startOfDay(day, 1),
          limit: 1,
        }
        const countOf = (status?: 'delivered') =>
          count((options) => reader.orders.list({ ...placedThen, status }, options))
        const [placed, sold] = await Promise.all([countOf(), countOf('delivered')])
        days.push({ day, placed, sold })
      }
      return days
    }),
    queryKey: ['count', 'orders by day', today],
  })
  const bars = (query.data?.value ?? []).map(({ day, placed, sold }) => {
    const search = { from: day, to: day }
    return {
      key: day,
      label: day === today ? 'Today' : weekdays.format(new Date(`${day}T12:00`)),
      value: placed,
      tone: 'good' as const,
      link: (text: ReactNode) => (
        <Link to="/orders" search={search}>
          {text}
        </Link>
      ),
      also: (
        <Link to="/orders" search={{ ...search, status: 'delivered' }}>
          <CountText value={sold} /> sold
        </Link>
      ),
    }
  })
  return (
    <Panel title="Orders of the last seven days" query={query} lines={shownDays}>
      <Bars caption="Orders of the last seven days" unit="Placed, and sold of those" bars={bars} />
    </Panel>
  )
}
