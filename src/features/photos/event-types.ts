import type { EventTypes } from '../../contract/event-type.ts'
import { Photo } from './contract.ts'

/** Found by `petId`, as the events of the pet. They never carry the file. A photo that goes with its pet has no event of its own. */
const event = { record: 'pet', scope: 'pets:read', data: Photo, stability: 'beta' } as const

export const eventTypes = {
  'photo.updated': {
    ...event,
    summary: 'The photo of a pet was stored',
    change: { after: { type: 'image/png' }, before: { type: 'image/jpeg' } },
  },
  'photo.deleted': { ...event, summary: 'The photo of a pet was deleted' },
} satisfies EventTypes
