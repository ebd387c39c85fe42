import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Event, Int64 } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { following } from '../api/following.ts'
import editor from '../editor/record-editor.module.css'
import { Instant } from '../shared/instant.tsx'
import cells from '../table/cells.module.css'
import { labelOf } from './event-labels.ts'
import { EventActor, EventChanges } from './event-parts.tsx'

/** More are on the page of events. */
const shownMax = 5

type Props = { of: { petId: Int64; orderId?: never } | { orderId: Int64; petId?: never } }

/** The last changes of a pet or of an order: when, who, from what to what. */
export function History({ of }: Props) {
  const { petId, orderId } = of
  const { data, error } = useQuery({
    ...following<Event[]>(
      petId === undefined ? ['order'] : ['pet', 'details', 'photo', 'inventory'],
    ),
    queryKey: ['history', String(petId), String(orderId)],
    queryFn: async ({ signal }) =>
      (await reader.events.list({ ...of, sort: '-id', limit: shownMax }, { signal })).data,
    gcTime: 0,
  })
  return (
    <section className={editor.part} aria-label="History">
      <h3>History</h3>
      {data === undefined && error && <p role="alert">{describeError(error)}</p>}
      {data?.length === 0 && <p className={cells.quiet}>No change is recorded.</p>}
      <ol>
        {data?.map((event) => (
          <Group component="li" key={String(event.id)} gap="0 0.5rem" py="0.2rem" fz="sm">
            <Instant at={event.createdAt} className={cells.quiet} />
            <strong>{labelOf(event.type)}</strong>
            {'previous' in event && <EventChanges event={event} />}
            <span>by</span>
            <EventActor event={event} />
          </Group>
        ))}
      </ol>
      {data?.length === shownMax && (
        <Link
          to="/events"
          search={petId === undefined ? { order: String(orderId) } : { pet: String(petId) }}
          className={cells.accent}
        >
          All events
        </Link>
      )}
    </section>
  )
}
