import type { Context } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Sql } from '../../db/db.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { refusal } from '../refuse.ts'
import { lockAndExpireOne } from '../sales/lock-and-expire.ts'
import type { Stock } from '../sales/stock.ts'
import type { Pet } from './contract.ts'
import { getPet } from './get-pet.ts'
import { petNotFound } from './pet-not-found.ts'
import { lockPetRow } from './queries.ts'

/** The input of a change to a pet: its id, the state that the caller expects (if any), and the time. */
export type PetTarget = { id: bigint; expected: JsonText | undefined; now: number }

/** Reads the pet to change. Throws `not_found`, and `precondition_failed` when it does not match. */
export async function targetPet(
  context: Context,
  id: bigint,
  matchesIfMatch: ((pet: JsonText) => boolean) | undefined,
): Promise<PetTarget> {
  const now = context.clock()
  if (!matchesIfMatch) return { id, expected: undefined, now }
  const pet = await getPet(context, id)
  if (!matchesIfMatch(pet)) throw new ServiceError('precondition_failed', changedMeanwhile(id))
  return { id, expected: pet, now }
}

type Locked = { pet: Pet; stock: Stock }

/** Locks the pet to change. Throws `not_found`, `precondition_failed`. */
export async function lockPet(sql: Sql, { id, expected, now }: PetTarget): Promise<Locked> {
  // Compared before due orders expire: that change is not one that the caller could have seen.
  const seen = await lockPetRow(sql, id)
  if (!seen) throw refusal('not_found', petNotFound(id))
  if (expected !== undefined && seen.record !== expected) {
    throw refusal('precondition_failed', changedMeanwhile(id))
  }
  const stock = await lockAndExpireOne(sql, id, now)
  if (!stock) throw new Error(`Pet ${id} is gone, though it is locked.`)
  const { name, categoryId } = seen.pet
  const pet = stock.status === null ? seen.pet : { id, name, categoryId, status: stock.status }
  return { pet, stock }
}

function changedMeanwhile(id: bigint): string {
  return `Pet ${id} no longer matches If-Match. Fetch it and retry.`
}
