import { oneOf } from './schemas.ts'
import type * as Type from './type.ts'

/** Interface 1.0.0, section 2. It never grows. */
export const petStatuses = ['available', 'pending', 'sold'] as const

export const PetStatus = oneOf(petStatuses, {
  $id: 'PetStatus',
  description: 'Availability of a pet.',
  examples: ['available'],
})
export type PetStatus = Type.Static<typeof PetStatus>

export function isPetStatus(value: unknown): value is PetStatus {
  return (petStatuses as readonly unknown[]).includes(value)
}
