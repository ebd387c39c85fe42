import type { EventTypes } from '../../contract/event-type.ts'
import { keyRecord } from './contract/keys.ts'

const key = { record: 'key', scope: 'keys:manage', data: keyRecord.Item } as const

const previousEndsAt = '2026-11-03T09:30:00.000Z'

export const eventTypes = {
  'key.created': { ...key, summary: 'An API key was created' },
  'key.updated': {
    ...key,
    summary: 'An API key was changed',
    change: { after: { name: 'Web shop' }, before: { name: 'test' } },
  },
  'key.rotated': {
    ...key,
    summary: 'An API key was replaced by a new one of the same id',
    change: {
      after: { hint: 'pet_test_…Kc3x', previousHint: 'pet_test_…h2f9', previousEndsAt },
      before: { hint: 'pet_test_…h2f9', previousHint: null, previousEndsAt: null },
    },
  },
  'key.revoked': {
    ...key,
    summary: 'An API key was revoked',
    change: { after: { revokedAt: '2026-11-02T09:30:00.000Z' }, before: { revokedAt: null } },
  },
  'key.deleted': { ...key, summary: 'An API key was deleted, a year after its end' },
} satisfies EventTypes
