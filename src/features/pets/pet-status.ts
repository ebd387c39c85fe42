/** Interface 1.0.0, section 2. It never grows. */
export const petStatuses = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof petStatuses)[number]

export function isPetStatus(value: unknown): boolean {
  return (petStatuses as readonly unknown[]).includes(value)
}

/** The allowed changes of the stated status; writing the same status again changes nothing. */
export const nextStatuses: Record<PetStatus, readonly PetStatus[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: ['available'],
}
