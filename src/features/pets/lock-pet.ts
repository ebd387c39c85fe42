import type { Tx } from '../../db/db.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { requireExpected } from '../if-match.ts'
import { refusal } from '../refuse.ts'
import { lockAndExpireOne } from '../sales/lock-and-expire.ts'
import type { Stock } from '../sales/stock.ts'
import type { Pet } from './contract.ts'
import { petNotFound } from './get-pet.ts'
import { lockPetRow } from './queries.ts'

/** A pet to change, the state that the client expects (if any), and the time. */
export type PetTarget = { id: bigint; expected: JsonText | undefined; now: number }

/** Locks the pet to change. Throws `not_found`, `precondition_failed`. */
export async function lockPet(
  tx: Tx,
  { id, expected, now }: PetTarget,
): Promise<{ pet: Pet; stock: Stock }> {
  // Compared before due orders expire: the client could not have seen that change.
  const seen = await lockPetRow(tx, id)
  if (!seen) throw refusal('not_found', petNotFound(id))
  requireExpected(expected, seen.record, `Pet ${id}`)
  const stock = await lockAndExpireOne(tx, id, now)
  if (!stock) throw new Error(`Pet ${id} is gone, though it is locked.`)
  const { name, categoryId } = seen.pet
  const pet = stock.status === null ? seen.pet : { id, name, categoryId, status: stock.status }
  return { pet, stock }
}
