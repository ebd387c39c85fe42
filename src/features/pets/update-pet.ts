import type { PetStatus } from '../../contract/pet-status.ts'
import { oneByOne, type Sql } from '../../db/db.ts'
import { addWords } from '../../db/lists/word-index.ts'
import { refusal } from '../refuse.ts'
import { recordQuantity } from '../sales/record-stock.ts'
import { adjustStock, petInOpenOrder } from '../sales/reservations.ts'
import type { Stock } from '../sales/stock.ts'
import type { Pet, PetChange } from './contract.ts'
import { lockPet, type PetTarget } from './lock-pet.ts'
import { nextStatuses } from './next-statuses.ts'
import { petWords, updateDescription, updateStated } from './queries.ts'

/**
 * Changes the given fields of a pet. Throws `not_found`, `precondition_failed`, `invalid_transition`, `pet_in_open_order`.
 */
export const updatePet = oneByOne<PetTarget & { body: PetChange }, Pet>({
  name: 'updatePet',
  rowOf: ({ id }) => id,
  async run(tx, target) {
    const { id, body } = target
    const { pet, stock } = await lockPet(tx, target)
    const { name = pet.name, categoryId = pet.categoryId, status = pet.status } = body
    const changed = { id, name, categoryId, ...(status === undefined ? {} : { status }) }
    const onHand = status === undefined ? stock.onHand : await moveTo(tx, stock, status)
    await updateDescription(tx, changed)
    if (name !== pet.name) await addWords(tx, petWords, id, name)
    recordQuantity(tx, target, {
      before: stock,
      after: { ...stock, status: status ?? null, onHand },
    })
    tx.record(target, { type: 'pet.updated', record: 'pet', id, data: changed, before: pet })
    return changed
  },
})

/** Changes the status of a locked pet; returns how many are on hand then. */
async function moveTo(sql: Sql, stock: Stock, status: PetStatus): Promise<number> {
  const isSame = status === stock.status
  // A pet that is `sold` for lack of stock stays `sold` once a client states it, even when stock is added.
  if (isSame && (status === stock.stated || stock.reserved > 0)) return stock.onHand
  if (stock.reserved > 0) throw await petInOpenOrder(sql, stock)
  if (!isSame && stock.status !== null && !nextStatuses[stock.status].includes(status)) {
    const next = nextStatuses[stock.status].join(' or ')
    throw refusal(
      'invalid_transition',
      `Pet ${stock.petId} is ${stock.status}, from where it can become ${next}, not ${status}.`,
    )
  }
  await updateStated(sql, stock.petId, status)
  return adjustStock(sql, stock, status)
}
