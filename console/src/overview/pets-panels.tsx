import { Button } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCategories } from '../api/categories.ts'
import type { Count } from '../api/counts.ts'
import { formatCount } from '../base/format.ts'
import { petStatusBadges } from '../pets/pet-status.tsx'
import { CountText } from '../shared/count-text.tsx'
import { UserText } from '../shared/user-text.tsx'
import { Bars } from './bars.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { useCategoryCounts, usePetCounts } from './use-counts.ts'

/** How many pets there are of each status. */
export function PetsByStatus() {
  const query = usePetCounts()
  const { all, byStatus } = query.data?.value ?? { all: undefined, byStatus: [] }
  const bars = byStatus.map(({ status, pets }) => ({
    key: status,
    label: petStatusBadges[status].label,
    value: pets,
    tone: petStatusBadges[status].tone,
    link: (text: ReactNode) => (
      <Link to="/pets" search={{ status }}>
        {text}
      </Link>
    ),
  }))
  return (
    <Panel title="Pets by status" query={query} lines={4}>
      <p className={classes.figure}>
        <Link to="/pets">
          <CountText value={all} /> <span className={classes.quiet}>pets in total</span>
        </Link>
      </p>
      <Bars caption="Pets by status" unit="Pets" bars={bars} />
    </Panel>
  )
}

/** A count for each category: no more at once than people compare. */
const categoriesStep = 12

/** How many pets there are in each category, the largest first. */
export function PetsByCategory() {
  const { list } = useCategories()
  const [shownMax, setShownMax] = useState(categoriesStep)
  const { ref, inViewport } = useInViewport()
  const query = useCategoryCounts(list.slice(0, shownMax), inViewport)
  if (list.length === 0) return null
  const size = (pets: Count) => (pets === 'tooLong' ? Number.POSITIVE_INFINITY : pets)
  const bars = (query.data?.value ?? [])
    .toSorted((one, other) => size(other.pets) - size(one.pets) || 0)
    .map(({ category: { id, name }, pets }) => ({
      key: String(id),
      label: <UserText text={name} />,
      value: pets,
      link: (text: ReactNode) => (
        <Link to="/pets" search={{ category: String(id) }}>
          {text}
        </Link>
      ),
    }))
  const more = list.length - shownMax
  return (
    <div ref={ref}>
      <Panel title="Pets by category" query={query} lines={8}>
        <Bars caption="Pets by category" unit="Pets" bars={bars} />
        {more > 0 && (
          <p className={classes.quiet}>
            The first {formatCount(shownMax)} categories by name.{' '}
            <Button
              size="compact-xs"
              variant="default"
              loading={query.isFetching}
              onClick={() => setShownMax(shownMax + categoriesStep)}
            >
              Count {formatCount(Math.min(more, categoriesStep))} more
            </Button>
          </p>
        )}
      </Panel>
    </div>
  )
}
