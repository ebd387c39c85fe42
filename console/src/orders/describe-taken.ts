import type { Order, Pet } from '../../../client/src/index.ts'
import { formatCount, formatInstant } from '../base/format.ts'
import { isolated } from '../base/visible-text.ts'

/** More orders than these are not named. */
export const namedMax = 5

type Taken = {
  /** What the service says. */
  message: string
  /** Some is left, but less than was ordered. */
  isShort: boolean
  pet: Pet | undefined
  /** The newest open orders of the pet. */
  open: readonly Order[]
  lastDelivered: Order | undefined
}

/** What became of a pet that cannot be ordered, with the orders that took it. */
export function describeTaken({ message, isShort, pet, open, lastDelivered }: Taken): string {
  const orders = open.toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const [newest] = orders
  if (newest === undefined || pet === undefined) {
    const isDelivered = pet?.status === 'sold' && lastDelivered !== undefined
    return isDelivered ? `${message} It was delivered with order ${lastDelivered.id}.` : message
  }
  const named = orders
    .slice(0, namedMax)
    .map(({ id, quantity }) => `order ${id} (${formatCount(quantity)})`)
  const all = `${named.join(', ')}${orders.length > namedMax ? ' and others' : ''}`
  if (isShort) return `${message} Held by ${all}.`
  return orders.length === 1
    ? `Another order took ${isolated(pet.name)}: order ${newest.id}, placed ${formatInstant(newest.createdAt)}, holds ${formatCount(newest.quantity)} of it. Nothing was ordered.`
    : `Other orders took ${isolated(pet.name)}: ${all}. Nothing was ordered.`
}
