import type { EventTypes } from '../../contract/event-type.ts'
import { implement } from '../../http/implement.ts'
import { describeEvents } from './contract.ts'
import { followEvents } from './follow-events.ts'
import { getEvent } from './get-event.ts'
import { listEvents } from './list-events.ts'

/** The log of changes, to read. It knows the types that all features declare. */
export function operationsOn(eventTypes: EventTypes) {
  const described = describeEvents(eventTypes)
  return [
    implement(described.listEvents, listEvents, followEvents),
    implement(described.getEvent, getEvent),
  ]
}
