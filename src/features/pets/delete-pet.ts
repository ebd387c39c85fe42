import { oneByOne } from '../../db/db.ts'
import { petInOpenOrder } from '../sales/reservations.ts'
import { lockPet, type PetTarget } from './lock-pet.ts'
import { deletePetRow } from './queries.ts'

/** Removes a pet for good; its id is never reused. Throws `not_found`, `precondition_failed`, `pet_in_open_order`. */
export const deletePet = oneByOne<PetTarget, null>({
  name: 'deletePet',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const { pet, stock } = await lockPet(tx, target)
    if (stock.reserved > 0) throw await petInOpenOrder(tx, stock)
    await deletePetRow(tx, pet.id)
    tx.record(target, { type: 'pet.deleted', record: 'pet', id: pet.id, data: pet })
    return null
  },
})
