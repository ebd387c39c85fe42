import type { Event, EventType } from '../../../client/src/index.ts'
import { reader } from '../api/client.ts'
import { readableKinds } from '../api/following.ts'
import { useHasScope } from '../api/session.ts'
import { parseId } from '../base/int64-text.ts'
import { type NamedEvent, withEventPets } from '../history/named-event.ts'
import { type RecordList, useRecordList } from '../table/use-record-list.ts'

/** What the address of the events page says. */
export type EventSearch = { type?: EventType; pet?: string; order?: string }

/** The events that match the address, as far as the key may read them: the newest first. */
export function useEventList({ type, pet = '', order = '' }: EventSearch): RecordList<NamedEvent> {
  const canReadPets = useHasScope('pets:read')
  return useRecordList<NamedEvent>({
    key: ['events', type, pet, order, canReadPets],
    kinds: readableKinds(),
    order: '-id',
    filter: { type, petId: parseId(pet), orderId: parseId(order) },
    async fetch({ id, ...query }, options) {
      // Events do not change, and the oldest are deleted.
      if (id !== undefined) return { data: [], nextCursor: undefined }
      let page = await reader.events.list(query, options)
      // Where few events match, a page may be empty that is not the last one.
      for (let next = await more(page); next !== undefined; next = await more(page)) page = next
      return canReadPets ? withEventPets(page, options.signal) : page
    },
  })
}

function more<Page>(page: { data: readonly Event[]; next(): Promise<Page | undefined> }) {
  return page.data.length === 0 ? page.next() : undefined
}
