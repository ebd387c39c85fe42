import type { EventTypes } from '../../contract/event-type.ts'
import { Category } from './contract.ts'

const category = { record: 'category', scope: 'pets:read', data: Category } as const

export const eventTypes = {
  'category.created': { ...category, summary: 'A category was added' },
  'category.updated': {
    ...category,
    summary: 'A category was changed',
    change: { after: { name: 'Cats' }, before: { name: 'Felines' } },
  },
  'category.deleted': { ...category, summary: 'A category was deleted' },
} satisfies EventTypes
