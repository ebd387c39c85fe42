import type { Context } from '../../context/context.ts'
import { oneByOne } from '../../db/db.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { type MatchesIfMatch, readExpected } from '../if-match.ts'
import { petInOpenOrder } from '../sales/reservations.ts'
import { getPet } from './get-pet.ts'
import { lockPet, type PetTarget } from './lock-pet.ts'
import { deletePetRow } from './queries.ts'

type PetDeletion = { id: bigint; matchesIfMatch?: MatchesIfMatch<JsonText> }

/** Removes a pet for good; its id is never reused. Throws `not_found`, `precondition_failed`, `pet_in_open_order`. */
export async function deletePet(
  context: Context,
  { id, matchesIfMatch }: PetDeletion,
): Promise<undefined> {
  const now = context.clock()
  const expected = await readExpected(matchesIfMatch, `Pet ${id}`, () => getPet(context, id))
  await context.db.write(removePet, { id, expected, now })
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
