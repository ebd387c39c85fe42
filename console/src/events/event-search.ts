import type { EventType } from '../../../client/src/generated/records.ts'
import { isIdText, searchReader } from '../base/search-params.ts'
import { eventLabels } from './event-labels.ts'

/** What the address of the events page says. */
export type EventSearch = { type?: EventType; pet?: string; order?: string }

export const readEventSearch = searchReader<EventSearch>({
  type: (value) => String(value) in eventLabels,
  pet: isIdText,
  order: isIdText,
})
