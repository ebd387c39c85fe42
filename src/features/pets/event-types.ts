import type { EventTypes } from '../../contract/event-type.ts'
import { pet as declared } from './contract.ts'

const pet = { record: 'pet', scope: 'pets:read', data: declared.Item } as const

export const eventTypes = {
  'pet.created': { ...pet, summary: 'A pet was added' },
  'pet.updated': {
    ...pet,
    summary: 'A pet was changed, by a client or by an order',
    change: { after: { status: 'pending' }, before: { status: 'available' } },
  },
  'pet.deleted': { ...pet, summary: 'A pet was deleted' },
} satisfies EventTypes
