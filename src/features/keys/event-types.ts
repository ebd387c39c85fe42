import type { EventTypes } from '../../contract/event-type.ts'
import { Key } from './contract/keys.ts'

const key = { record: 'key', scope: 'keys:manage', data: Key } as const

export const eventTypes = {
  'key.created': key,
  'key.updated': key,
  'key.rotated': key,
  'key.revoked': key,
} satisfies EventTypes
