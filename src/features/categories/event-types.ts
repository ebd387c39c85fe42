import type { EventTypes } from '../../contract/event-type.ts'
import { Category } from './contract.ts'

const category = { record: 'category', scope: 'pets:read', data: Category } as const

export const eventTypes = {
  'category.created': category,
  'category.updated': category,
  'category.deleted': category,
} satisfies EventTypes
