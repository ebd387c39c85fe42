import type { EventTypes } from '../../contract/event-type.ts'
import { Pet } from './contract.ts'

const pet = { record: 'pet', scope: 'pets:read', data: Pet } as const

export const eventTypes = {
  'pet.created': pet,
  'pet.updated': pet,
  'pet.deleted': pet,
} satisfies EventTypes
