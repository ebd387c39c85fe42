import type { Event } from '../../../client/src/index.ts'
import { withPetNames } from '../api/pet-names.ts'

/** An event, with the name of the pet of its order or stock, as far as it is known. */
export type NamedEvent = Event & { petName?: string }

/** Names the pets of events on orders and stock. */
export function withEventPets(
  page: { data: readonly Event[]; nextCursor: string | undefined },
  signal: AbortSignal | undefined,
) {
  return withPetNames<Event>(page, ({ data }) => ('petId' in data ? data.petId : undefined), signal)
}
