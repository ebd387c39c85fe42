import { useQuery } from '@tanstack/react-query'
import { reader } from '../api/client.ts'
import { following, readableKinds } from '../api/following.ts'
import { labelOf } from '../history/event-labels.ts'
import {
  EventChanges,
  EventRecord,
  type NamedEvent,
  withEventPets,
} from '../history/event-parts.tsx'
import { Instant } from '../shared/instant.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'

const listed = 10

/** What happened last, in words. */
export function RecentEvents() {
  const query = useQuery({
    ...following<readonly NamedEvent[]>(readableKinds()),
    queryKey: ['recent events'],
    async queryFn({ signal }) {
      const page = await reader.events.list({ sort: '-id', limit: listed }, { signal })
      return (await withEventPets(page, signal)).data
    },
  })
  return (
    <Panel title="What happened last" query={query} lines={listed}>
      <ul className={classes.list}>
        {query.data?.map((event) => (
          <li key={String(event.id)}>
            <span className={classes.event}>
              <strong>{labelOf(event.type)}</strong>
              <EventRecord event={event} />
            </span>
            <Instant at={event.createdAt} className={classes.quiet} />
            {'previous' in event && <EventChanges event={event} isInGrid />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
