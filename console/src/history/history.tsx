import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Event, Int64 } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { describeError } from '../api/describe-error.ts'
import { following, readableKinds } from '../api/following.ts'
import editor from '../editor/record-editor.module.css'
import { Instant } from '../shared/instant.tsx'
import cells from '../table/cells.module.css'
import { labelOf } from './event-labels.ts'
import { EventActor, EventChanges } from './event-parts.tsx'
import classes from './history.module.css'

/** More are on the page of events. */
const shownMax = 5

type Props = { of: { petId: Int64; orderId?: never } | { orderId: Int64; petId?: never } }

/** The last changes of a pet or of an order: when, who, from what to what. */
export function History({ of }: Props) {
  const { petId, orderId } = of
  const kinds = petId === undefined ? ['order'] : ['pet', 'inventory']
  const readable = readableKinds()
  const { data, error } = useQuery({
    ...following<Event[]>(kinds.filter((kind) => readable.includes(kind))),
    queryKey: ['history', String(petId), String(orderId)],
    queryFn: async ({ signal }) =>
      (await reader.events.list({ ...of, sort: '-id', limit: shownMax }, { signal })).data,
    gcTime: 0,
  })
  return (
    <section className={`${editor.part} ${classes.history}`} aria-label="History">
      <h3>History</h3>
      {data === undefined && error && <p role="alert">{describeError(error)}</p>}
      {data?.length === 0 && <p className={cells.quiet}>No change is recorded.</p>}
      <ol>
        {data?.map((event) => (
          <li key={String(event.id)}>
            <Instant at={event.createdAt} className={cells.quiet} />
            <strong>{labelOf(event.type)}</strong>
            {'previous' in event && <EventChanges event={event} />}
            <span>by</span>
            <EventActor event={event} />
          </li>
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
