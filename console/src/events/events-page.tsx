import type { Event, EventType } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { readableKinds } from '../api/following.ts'
import { formatInstant } from '../base/format.ts'
import { parseId } from '../base/int64-text.ts'
import { isIdText, searchReader } from '../base/search-params.ts'
import { Members, RecordPanel } from '../editor/record-panel.tsx'
import { ChoiceFilter } from '../filters/choice-filter.tsx'
import { TextFilter } from '../filters/text-filter.tsx'
import { useAddress } from '../filters/use-address.ts'
import { eventLabels, kindOf, labelOf } from '../history/event-labels.ts'
import {
  EventActor,
  EventChanges,
  EventRecord,
  type NamedEvent,
  withEventPets,
} from '../history/event-parts.tsx'
import { PetFilter } from '../pets/pet-filter.tsx'
import { Instant } from '../shared/instant.tsx'
import classes from '../table/cells.module.css'
import { type RecordColumn, wide } from '../table/columns.ts'
import { RecordPage } from '../table/record-page.tsx'
import { useRecordList } from '../table/use-record-list.ts'

/** Reads the address of the events page. */
export const readEventSearch = searchReader({
  type: (value): value is EventType => String(value) in eventLabels,
  pet: isIdText,
  order: isIdText,
})

const columns: readonly RecordColumn<NamedEvent>[] = [
  {
    id: 'when',
    header: 'When',
    phone: 'aside',
    cell: ({ record }) => <Instant at={record.createdAt} />,
  },
  {
    id: 'what',
    header: 'What',
    phone: 'title',
    cell: ({ record }) => labelOf(record.type),
  },
  {
    id: 'record',
    header: 'Record, and by whom',
    width: wide,
    phone: 'detail',
    cell: ({ record }) => (
      <span className={classes.named}>
        <EventRecord event={record} isInGrid />
        <EventChanges event={record} isInGrid />
        <span className={classes.end}>
          by <EventActor event={record} isInGrid />
        </span>
      </span>
    ),
  },
]

/** Shows every change of the store: when, who, from what to what. */
export function EventsPage() {
  const [{ type, pet = '', order = '' }] = useAddress<ReturnType<typeof readEventSearch>>()
  const own = readableKinds()
  const list = useRecordList<NamedEvent>({
    key: ['events', type, pet, order],
    kinds: own,
    order: '-id',
    filter: { type, petId: parseId(pet), orderId: parseId(order) },
    async fetch({ id, ...query }, options) {
      // Events do not change, and the oldest are deleted.
      if (id !== undefined) return { data: [], nextCursor: undefined }
      let page = await reader.events.list(query, options)
      // Where few events match, a page may be empty that is not the last one.
      for (let next = await more(page); next !== undefined; next = await more(page)) page = next
      return withEventPets(page, options.signal)
    },
  })
  const types = Object.entries(eventLabels)
    .map(([value, label]) => ({ value, label }))
    .filter(({ value }) => own.includes(kindOf(value)))
  return (
    <RecordPage<NamedEvent>
      kind="event"
      about="Every change that this key may see"
      list={list}
      columns={columns}
      filters={
        <>
          <ChoiceFilter name="type" label="What" everything="Anything" options={types} />
          <PetFilter />
          <TextFilter name="order" label="Order number" isId />
        </>
      }
      empty={{ title: 'No events yet', text: 'Changes of the store appear here.', icon: 'bolt' }}
      noMatch={{
        filters: ['type', 'pet', 'order'],
        text: 'Remove a filter. Old events are deleted after a while.',
      }}
      open="toRead"
      detail={(event, { close }) => event && <EventPanel event={event} close={close} />}
    />
  )
}

function more<Page>(page: { data: readonly Event[]; next(): Promise<Page | undefined> }) {
  return page.data.length === 0 ? page.next() : undefined
}

/** All that is known of an event. */
function EventPanel({ event, close }: { event: NamedEvent; close(): void }) {
  const { type, createdAt, requestId } = event
  return (
    <RecordPanel title={labelOf(type)} record={event} close={close}>
      <Members
        members={[
          ['Record', <EventRecord key="record" event={event} />],
          ['When', formatInstant(createdAt)],
          ['By', <EventActor key="by" event={event} />],
          ['Changed', 'previous' in event && <EventChanges event={event} />],
          ['Request', requestId],
        ]}
      />
    </RecordPanel>
  )
}
