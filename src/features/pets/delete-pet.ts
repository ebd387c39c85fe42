import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import type { Target } from '../if-match.ts'
import { petInOpenOrder } from '../sales/reservations.ts'
import { lockPet, type PetTarget } from './lock-pet.ts'
import { deletePetRow } from './queries.ts'

/** Removes a pet for good; its id is never reused. Throws `not_found`, `precondition_failed`, `pet_in_open_order`. */
export function deletePet({ db, clock }: Context, { id, ifMatch }: Target): Promise<null> {
  return db.write(removePet, { id, ifMatch, now: clock() })
}

export const removePet = oneByOne<PetTarget, null>({
  name: 'removePet',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const { pet, stock } = await lockPet(tx, target)
    if (stock.reserved > 0) throw await petInOpenOrder(tx, stock)
    await deletePetRow(tx, pet.id)
    tx.record(target, { type: 'pet.deleted', record: 'pet', id: pet.id, data: pet })
    return null
  },
})
