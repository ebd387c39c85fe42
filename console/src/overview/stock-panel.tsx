import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client, once } from '../api/client.ts'
import { fetchPetNames } from '../api/pet-names.ts'
import { lookEveryMs } from '../api/query-client.ts'
import { useMay } from '../session/session.ts'
import { count } from '../shared/numbers.ts'
import { UserText } from '../shared/user-text.tsx'
import { CountText } from './bars.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'
import { useHeldCount } from './use-counts.ts'

const listed = 6

/** Pets of which nothing is left to sell while orders wait. */
export function StockRunningOut() {
  const canReadPets = useMay('pets:read')
  const held = useHeldCount(true)
  const query = useQuery({
    queryKey: ['stock running out', canReadPets],
    refetchInterval: lookEveryMs,
    structuralSharing: false,
    async queryFn({ signal }) {
      const { data } = await client.inventory.list(
        { status: 'pending', limit: listed, sort: '-id' },
        { ...once, signal },
      )
      const petIds = data.map(({ petId }) => petId)
      const names = canReadPets ? await fetchPetNames(petIds, signal) : new Map<string, string>()
      return data.map((item) => ({ item, name: names.get(String(item.petId)) }))
    },
  })
  const rows = query.data ?? []
  return (
    <Panel title="Stock running out" query={query} lines={listed}>
      {rows.length === 0 ? (
        <p className={classes.quiet}>Of every pet on sale something is left.</p>
      ) : (
        <>
          <p className={classes.figure}>
            <CountText value={held.data} />{' '}
            <span className={classes.quiet}>pets with nothing left to sell</span>
          </p>
          <ul className={classes.list}>
            {rows.map(({ item: { petId, quantity }, name }) => (
              <li key={String(petId)}>
                <Link to="/inventory" search={{ at: String(petId) }}>
                  {name === undefined ? `Pet ${petId}` : <UserText text={name} />}
                </Link>
                <span className={classes.quiet}>{count(quantity)} in stock, none free</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}
