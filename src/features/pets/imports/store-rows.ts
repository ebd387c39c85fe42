import type { RowProblem } from '../../../contract/content.ts'
import { type IdempotencyClaim, oneByOne, type Tx } from '../../../db/db.ts'
import { Refusal } from '../../../db/errors.ts'
import { findProgress, keyInUse, storeProgress } from '../../../db/idempotency.ts'
import { recordingFor } from '../../../db/run-write.ts'
import { applySteps } from '../apply-steps.ts'
import type { NewPet, PetChange } from '../contract.ts'
import { insertPets } from '../queries.ts'

/** A checked row: what to add, or with an `id` what to change. */
export type ImportRow = { line: number } & (
  | { id: bigint; pet: PetChange }
  | { id?: undefined; pet: NewPet }
)

/** How far an import has come: how many rows it stores, the line of the last that it tried, and what became of them. */
export type Progress = {
  rows: number
  line: number
  created: number
  updated: number
  refused: number
  problems: readonly RowProblem[]
}

type Batch = { rows: readonly ImportRow[]; now: number }

/** What the import of a claim has stored so far, if anything. Throws `idempotency_key_reused`. */
export const readProgress = oneByOne<IdempotencyClaim, Progress | null>({
  name: 'readImportProgress',
  run: async (tx, claim) => (await findProgress<Progress>(tx, claim)) ?? null,
})

/**
 * Stores rows by the writes of createPet and updatePet, and with them how far the import has come; returns that. Throws
 * `idempotency_key_in_use` where another request goes on with the import.
 */
export const storeRows = oneByOne<
  Batch & { before: Progress; problemsMax: number; claim: IdempotencyClaim | undefined },
  Progress
>({
  name: 'storeImportedRows',
  async run(tx, batch) {
    const { rows, before, problemsMax, claim } = batch
    const stored = claim && (await findProgress<Progress>(tx, claim))
    if (claim && (stored?.line ?? 0) !== before.line) throw keyInUse()
    const recording = recordingFor(tx, batch)
    const added = rows.flatMap(({ id, pet }) => (id === undefined ? [pet as NewPet] : []))
    if (added.length > 0) await insertPets.run(recording, added)
    const refused = await applyUpdates(recording, batch)
    const after = {
      rows: before.rows,
      line: rows.at(-1)?.line ?? before.line,
      created: before.created + added.length,
      updated: before.updated + rows.length - added.length - refused.length,
      refused: before.refused + refused.length,
      problems: [...before.problems, ...refused].slice(0, problemsMax),
    }
    if (claim) await storeProgress(tx, claim, after, { isFirst: stored === undefined })
    return after
  },
})

/** Runs the updates among rows and undoes them; returns why some are refused. */
export const tryRows = oneByOne<Batch, RowProblem[]>({
  name: 'tryImportedRows',
  async run(tx, batch) {
    let problems: RowProblem[] = []
    await tx.attempt(async () => {
      problems = await applyUpdates(tx, batch)
      throw new Refusal('undone', 'The rows were only tried.')
    })
    return problems
  },
})

/** Runs the updates among rows; returns the problems of those that are refused. */
async function applyUpdates(tx: Tx, { rows, now }: Batch): Promise<RowProblem[]> {
  const updates = rows.filter((row) => row.id !== undefined)
  const outcomes = await applySteps(
    tx,
    updates.map(({ id, pet }) => ({ id, body: pet, now })),
  )
  return updates.flatMap(({ line }, index) => {
    const outcome = outcomes[index]
    if (!outcome || 'value' in outcome) return []
    const { code, message } = outcome.refusal
    return [{ line, code, detail: message }]
  })
}
