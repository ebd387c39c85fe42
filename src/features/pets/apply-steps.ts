import type { PetStatus } from '../../contract/pet-status.ts'
import { type Outcome, outcomesOf, type Tx } from '../../db/db.ts'
import { addWords } from '../../db/lists/word-index.ts'
import { deleteDetailsOf } from '../details/write-details.ts'
import { requireMatch, type Target } from '../if-match.ts'
import { deletePhotosOf } from '../photos/write-photos.ts'
import { notFound, refusal } from '../refuse.ts'
import { expireDue, lockStocks } from '../sales/lock-and-expire.ts'
import { recordQuantity } from '../sales/record-stock.ts'
import { describeHeld, petInOpenOrder, state, storeStocks } from '../sales/reservations.ts'
import type { Stock } from '../sales/stock.ts'
import type { Pet, PetChange } from './contract.ts'
import { nextStatuses } from './next-statuses.ts'
import { deletePets, petIn, petWords, updatePets } from './queries.ts'

/** A pet to change, and the time. */
export type PetTarget = Target & { now: number }

/** The fields to change, or a pet to delete where `body` is absent. */
export type PetStep = PetTarget & { body?: PetChange | undefined }

/**
 * Changes and deletes pets in the order of ids, by the same few statements for one and for many; returns each as it is then,
 * or null where it is deleted. Refuses with `not_found`, `precondition_failed`, `invalid_transition`, `pet_in_open_order`.
 */
export async function applySteps<V extends Pet | null = Pet | null>(
  tx: Tx,
  steps: readonly PetStep[],
): Promise<Outcome<V>[]> {
  const outcomes: Outcome<V>[] = []
  for (const round of roundsOf(steps)) {
    const applied = await applyRound(
      tx,
      round.map(([, step]) => step),
    )
    for (const [at, [index]] of round.entries()) outcomes[index] = applied[at] as Outcome<V>
  }
  return outcomes
}

type Numbered = [index: number, step: PetStep]

/** The steps in the order of ids, the first of each pet, then the second of each, and so on. */
function roundsOf(steps: readonly PetStep[]): Numbered[][] {
  const rounds: Numbered[][] = []
  const counts = new Map<bigint, number>()
  const ordered = [...steps.entries()].sort(([, a], [, b]) =>
    a.id < b.id ? -1 : Number(a.id > b.id),
  )
  for (const numbered of ordered) {
    const { id } = numbered[1]
    const count = counts.get(id) ?? 0
    counts.set(id, count + 1)
    const round = rounds[count] ?? []
    round.push(numbered)
    rounds[count] = round
  }
  return rounds
}

type Found = { step: PetStep; stock: Stock }

/** What is to be stored. */
type Changes = {
  updated: Stock[]
  restocked: Stock[]
  renamed: [id: bigint, name: string][]
  deleted: bigint[]
}

/** Applies steps of different pets. */
async function applyRound(tx: Tx, steps: readonly PetStep[]): Promise<Outcome<Pet | null>[]> {
  const found = await lockMatching(tx, steps)
  const stocks = found.flatMap((one) => ('value' in one ? one.value.stock : []))
  const held = await describeHeld(
    tx,
    stocks.filter(({ reserved }) => reserved > 0),
  )
  const changes: Changes = { updated: [], restocked: [], renamed: [], deleted: [] }
  const outcomes = outcomesOf(found, (one) => {
    if ('refusal' in one) throw one.refusal
    const { id, body } = one.value.step
    if (body) return update(tx, one.value, body, held.get(id), changes)
    return remove(tx, one.value, held.get(id), changes)
  })
  await storeStocks(tx, changes.restocked)
  await updatePets(tx, changes.updated)
  await addWords(tx, petWords, changes.renamed)
  await deletePets(tx, changes.deleted)
  await deleteDetailsOf(tx, changes.deleted)
  await deletePhotosOf(tx, changes.deleted)
  return outcomes
}

/** Locks the pets that steps match, and expires their due orders. */
async function lockMatching(tx: Tx, steps: readonly PetStep[]): Promise<Outcome<Found>[]> {
  const stocks = await lockStocks(
    tx,
    steps.map(({ id }) => id),
  )
  // Compared before due orders expire: the client could not have seen that change.
  const found = outcomesOf(steps, (step) => {
    const stock = stocks.get(step.id)
    if (!stock) throw notFound('pet', step.id)
    requireMatch(step, petIn(stock), `Pet ${step.id}`)
    return { step, stock }
  })
  const matched = found.flatMap((one) => ('value' in one ? one.value.step : []))
  await expireDue(
    tx,
    stocks,
    matched.map(({ id, now }) => ({ petId: id, now })),
  )
  return found
}

function update(
  tx: Tx,
  { step, stock }: Found,
  { name, categoryId, status }: PetChange,
  held: string | undefined,
  { updated, restocked, renamed }: Changes,
): Pet {
  const before = petIn(stock)
  const stockBefore = { ...stock }
  if (status !== undefined) moveTo(stock, status, held)
  if (name !== undefined) stock.name = name
  if (categoryId !== undefined) stock.categoryId = categoryId
  const data = petIn(stock)
  recordQuantity(tx, step, { before: stockBefore, after: stock })
  tx.record(step, { type: 'pet.updated', record: 'pet', id: data.id, data, before })
  updated.push(stock)
  if (stock.onHand !== stockBefore.onHand) restocked.push(stock)
  if (data.name !== before.name) renamed.push([data.id, data.name])
  return data
}

function remove(
  tx: Tx,
  { step, stock }: Found,
  held: string | undefined,
  { deleted }: Changes,
): null {
  if (stock.reserved > 0) throw petInOpenOrder(held)
  const data = petIn(stock)
  tx.record(step, { type: 'pet.deleted', record: 'pet', id: data.id, data })
  deleted.push(data.id)
  return null
}

function moveTo(stock: Stock, status: PetStatus, held: string | undefined): void {
  const isSame = status === stock.status
  // A pet that is `sold` for lack of stock stays `sold` once a client states it, even when stock is added.
  if (isSame && (status === stock.stated || stock.reserved > 0)) return
  if (stock.reserved > 0) throw petInOpenOrder(held)
  if (!isSame && stock.status !== null && !nextStatuses[stock.status].includes(status)) {
    const next = nextStatuses[stock.status].join(' or ')
    throw refusal(
      'invalid_transition',
      `Pet ${stock.petId} is ${stock.status}, from where it can become ${next}, not ${status}.`,
    )
  }
  state(stock, status)
}
