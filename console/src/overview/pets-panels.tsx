import { Link } from '@tanstack/react-router'
import { useCategories } from '../api/categories.ts'
import { statusLooks } from '../pets/pet-statuses.ts'
import { count } from '../shared/numbers.ts'
import { UserText } from '../shared/user-text.tsx'
import { Bars, CountText } from './bars.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { type Count, categoriesMax, useCategoryCounts, usePetCounts } from './use-counts.ts'

/** How many pets there are of each status. */
export function PetsByStatus() {
  const query = usePetCounts(true)
  const { all, byStatus } = query.data ?? { byStatus: [] }
  const bars = byStatus.map(({ status, pets }) => ({
    key: status,
    label: (
      <Link to="/pets" search={{ status }}>
        {statusLooks[status].label}
      </Link>
    ),
    value: pets,
    tone: statusLooks[status].tone,
  }))
  const rest = countWithout(byStatus, all)
  const none = rest ? [{ key: 'none', label: 'No status', value: rest }] : []
  return (
    <Panel title="Pets by status" query={query} lines={4}>
      <p className={classes.figure}>
        <CountText value={all} /> <span className={classes.quiet}>pets in all</span>
      </p>
      <Bars caption="Pets by status" unit="Pets" bars={[...bars, ...none]} />
    </Panel>
  )
}

/** How many pets have no status; undefined where something was not counted. */
function countWithout(byStatus: readonly { pets: Count }[], all: Count | undefined) {
  const counts = [...byStatus.map(({ pets }) => pets), all ?? 'tooLong']
  if (!counts.every((value) => value !== 'tooLong')) return undefined
  const total = counts.pop() ?? 0
  return Math.max(0, total - counts.reduce((sum, value) => sum + value, 0))
}

/** How many pets there are in each category, the largest first. */
export function PetsByCategory() {
  const { list } = useCategories()
  const query = useCategoryCounts(list)
  if (list.length === 0) return null
  const size = (pets: number | 'tooLong') => (pets === 'tooLong' ? Number.POSITIVE_INFINITY : pets)
  const bars = (query.data ?? [])
    .toSorted((one, other) => size(other.pets) - size(one.pets) || 0)
    .map(({ category: { id, name }, pets }) => ({
      key: String(id),
      label: (
        <Link to="/pets" search={{ category: String(id) }}>
          <UserText text={name} />
        </Link>
      ),
      value: pets,
    }))
  const more = list.length - categoriesMax
  return (
    <Panel title="Pets by category" query={query} lines={8}>
      <Bars caption="Pets by category" unit="Pets" bars={bars} />
      {more > 0 && (
        <p className={classes.quiet}>
          The first {categoriesMax} categories by name; there are {count(more)} more.
        </p>
      )}
    </Panel>
  )
}
