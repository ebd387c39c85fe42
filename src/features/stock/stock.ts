import type { PetStatus } from '../pets/pet-status.ts'

/** The most of one pet that a store has, and that an order takes. */
export const quantityMax = 1_000_000

/** A pet's stock: how many there are, and how many of them open orders hold. */
export type Stock = {
  petId: bigint
  /** As clients read it: where it is stated `available`, it follows the stock. */
  status: PetStatus | null
  /** As a client last wrote it. */
  stated: PetStatus | null
  onHand: number
  reserved: number
}
