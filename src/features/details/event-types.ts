import type { EventTypes } from '../../contract/event-type.ts'
import { details } from './contract.ts'

/** Found by `petId`, as the events of the pet. Details that go with their pet have no event of their own. */
const event = { record: 'pet', scope: 'pets:read', data: details.Item, stability: 'beta' } as const

export const eventTypes = {
  'details.updated': {
    ...event,
    summary: 'The details of a pet were stored',
    change: { after: { sex: 'female' }, before: { sex: null } },
  },
  'details.deleted': { ...event, summary: 'The details of a pet were deleted' },
} satisfies EventTypes
