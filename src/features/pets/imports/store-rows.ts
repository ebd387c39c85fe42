import { oneByOne, type Tx, type Write } from '../../../db/db.ts'
import { Refusal } from '../../../db/errors.ts'
import { isoOf } from '../../../db/records/instants.ts'
import { presentMembers } from '../../../db/records/rows.ts'
import { recordingFor } from '../../../db/writes/run-write.ts'
import { type Names, resolveNames } from '../../categories/resolve-names.ts'
import { type DetailsRow, detailsIn } from '../../details/sheet.ts'
import { detailsWrites } from '../../details/write-details.ts'
import { applySteps } from '../apply-steps.ts'
import type { NewPet, PetChange } from '../contract.ts'
import { insertPets } from '../queries.ts'

/** A checked row: what to add, or with an `id` what to change, and the name of its category where it has one. */
export type ImportRow = { index: number; id?: bigint; category?: string } & PetChange & DetailsRow

/** Why a row is not stored. */
type RefusedRow = { index: number; code: string; message: string; column?: string }

/** What rows have done; without `storedAt` what they would do. */
export type Stored = {
  created: number
  updated: number
  refused: readonly RefusedRow[]
  newCategories: readonly string[]
  storedAt?: string
}

type Import = {
  rows: readonly ImportRow[]
  now: number
  createCategories: boolean
  /** Whether nothing is stored; whether nothing is, where a row is refused. */
  isTrial: boolean
  refusesAll: boolean
}

/**
 * Stores rows by the rules of createPet and updatePet in one transaction. What it refuses changes nothing. Where nothing is
 * to be stored, it refuses with what would be.
 */
export const storeRows: Write<Import, Stored> = {
  ...oneByOne<Import, Stored>({
    name: 'storeImportedRows',
    async run(tx, input) {
      const recording = recordingFor(tx, input)
      const refused: RefusedRow[] = []
      for (let { rows } = input; ; ) {
        const outcome = await tx.attempt(async () => {
          const done = await storeOnce(recording, { ...input, rows })
          // A category that only refused rows have is not to be added.
          if (done.refused.length > 0 && done.newCategories.length > 0) throw nothingStored(done)
          return done
        })
        const done = 'value' in outcome ? outcome.value : (outcome.refusal.details as Stored)
        refused.push(...done.refused)
        if ('refusal' in outcome) {
          const left = new Set(done.refused.map(({ index }) => index))
          rows = rows.filter(({ index }) => !left.has(index))
          continue
        }
        const all = { ...done, refused }
        if (input.isTrial || (input.refusesAll && refused.length > 0)) throw nothingStored(all)
        return { ...all, storedAt: isoOf(input.now) }
      }
    },
  }),
  isLong: true,
}

function nothingStored(done: Stored): Refusal {
  return new Refusal('rows_refused', 'Nothing is stored.', done)
}

async function storeOnce(tx: Tx, { rows, now, isTrial, ...options }: Import): Promise<Stored> {
  const categories = await resolveNames(tx, rows, options)
  const refused: RefusedRow[] = []
  const creates: NewPet[] = []
  const created: ImportRow[] = []
  const updates: { row: ImportRow; body: PetChange }[] = []
  for (const row of rows) {
    const { index, id, name, categoryId, status } = row
    const pet = presentMembers<PetChange>({ name, categoryId, status })
    const named = categoryOf(row, categories)
    if (typeof named === 'object') refused.push({ index, ...named })
    else {
      const body = named === undefined ? pet : { ...pet, categoryId: named }
      if (id === undefined) {
        creates.push(body as NewPet)
        created.push(row)
      } else updates.push({ row, body })
    }
  }
  const steps = updates.map(({ row, body }) => ({ id: row.id as bigint, body, now }))
  const outcomes = await applySteps(tx, steps)
  const told: { id: bigint; row: DetailsRow }[] = []
  for (const [at, outcome] of outcomes.entries()) {
    if ('value' in outcome) {
      const { row } = updates[at] as (typeof updates)[number]
      told.push({ id: row.id as bigint, row })
      continue
    }
    const { code, message } = outcome.refusal
    refused.push({ index: updates[at]?.row.index ?? 0, code, message })
  }
  if (creates.length > 0 && !isTrial) {
    const added = await insertPets.run(tx, creates)
    for (const [at, outcome] of added.entries()) {
      if ('value' in outcome) told.push({ id: outcome.value, row: created[at] as ImportRow })
    }
  }
  const changes = told.map(({ id, row }) => ({ id, body: detailsIn(row) }))
  await detailsWrites.changeParts(
    tx,
    tx,
    changes.filter(({ body }) => Object.keys(body).length > 0),
  )
  return {
    created: creates.length,
    updated: rows.length - creates.length - refused.length,
    refused,
    newCategories: categories.created,
  }
}

/** The id of the category that a row names, if it does, or why it has none. */
function categoryOf({ category, categoryId }: ImportRow, { found }: Names) {
  if (category === undefined) return undefined
  const id = found.get(category)
  const received = JSON.stringify(category)
  if (id === undefined) {
    const message = `is the name of no category; received ${received}`
    return { code: 'not_found', message, column: 'category' }
  }
  if (categoryId === undefined || categoryId === id) return id
  const message = `is ${received}, the category ${id}, while categoryId is ${categoryId}: leave one of them out`
  return { code: 'invalid_body', message, column: 'category' }
}
