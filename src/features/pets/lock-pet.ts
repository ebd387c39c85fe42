import type { Tx } from '../../db/db.ts'
import { requireMatch, type Target } from '../if-match.ts'
import { notFound } from '../refuse.ts'
import { lockAndExpireOne } from '../sales/lock-and-expire.ts'
import type { Stock } from '../sales/stock.ts'
import type { Pet } from './contract.ts'
import { lockPetRow } from './queries.ts'

/** A pet to change, and the time. */
export type PetTarget = Target & { now: number }

/** Locks the pet to change. Throws `not_found`, `precondition_failed`. */
export async function lockPet(tx: Tx, target: PetTarget): Promise<{ pet: Pet; stock: Stock }> {
  const { id, now } = target
  // Compared before due orders expire: the client could not have seen that change.
  const seen = await lockPetRow(tx, id)
  if (!seen) throw notFound('pet', id)
  requireMatch(target, seen.record, `Pet ${id}`)
  const stock = await lockAndExpireOne(tx, id, now)
  if (!stock) throw new Error(`Pet ${id} is gone, though it is locked.`)
  const { name, categoryId } = seen.pet
  const pet = stock.status === null ? seen.pet : { id, name, categoryId, status: stock.status }
  return { pet, stock }
}
