import { usualEvents } from '../../contract/event-type.ts'
import { category } from './contract.ts'

export const eventTypes = usualEvents(category, 'pets:read', {
  after: { name: 'Cats' },
  before: { name: 'Felines' },
})
