import type { PetStatus } from '../../contract/pet-status.ts'

/** The largest stock of one pet, and the largest quantity of an order. */
export const quantityMax = 1_000_000

/** A pet's stock: the number on hand, and how many of them open orders hold. */
export type Stock = {
  petId: bigint
  name: string
  categoryId: bigint
  /** The status as clients read it. Where `available` is stated, it follows the stock. */
  status: PetStatus | null
  /** The status that a client last wrote. */
  stated: PetStatus | null
  onHand: number
  reserved: number
}

/** The status as clients read it: what is stated, but a stated `available` follows the stock. */
export function statusOf({
  stated,
  onHand,
  reserved,
}: Pick<Stock, 'stated' | 'onHand' | 'reserved'>): Stock['status'] {
  if (stated !== 'available' || onHand > reserved) return stated
  return reserved > 0 ? 'pending' : 'sold'
}
