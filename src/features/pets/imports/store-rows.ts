import type { RowProblem } from '../../../contract/content.ts'
import { type IdempotencyClaim, oneByOne, type Tx } from '../../../db/db.ts'
import { Refusal } from '../../../db/errors.ts'
import { findProgress, keyInUse, storeProgress } from '../../../db/idempotency.ts'
import { insertRecorded } from '../../../db/run-write.ts'
import type { NewPet, PetChange } from '../contract.ts'
import { insertPets } from '../queries.ts'
import { updatePet } from '../update-pet.ts'

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
    const refused = await findRefused(tx, batch, (change) => updatePet.run(recording, [change]))
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

/** Runs the updates among rows and undoes each; returns why some are refused. */
export const tryRows = oneByOne<Batch, RowProblem[]>({
  name: 'tryImportedRows',
  run: (tx, batch) =>
    findRefused(tx, batch, async (change) => {
      await updatePet.run(recordingFor(tx, batch), [change])
      throw undone
    }),
})

const undone = new Refusal('undone', 'The row was only tried.')

/** Changes of the log belong to the input of their write, which is the whole batch. */
function recordingFor(tx: Tx, batch: Batch): Tx {
  const record: Tx['record'] = (_row, change) => tx.record(batch, change)
  // Other statements follow: the transaction is not committed with the new pets.
  return { ...tx, record, create: (...pets) => insertRecorded({ ...tx, record }, ...pets) }
}

type Change = Parameters<typeof updatePet.run>[1][number]

/** Runs updates in the order of ids, as all writes lock them; returns the problems of those that are refused. */
async function findRefused(
  tx: Tx,
  { rows, now }: Batch,
  run: (change: Change) => Promise<unknown>,
): Promise<RowProblem[]> {
  const problems: RowProblem[] = []
  const updates = rows.filter((row) => row.id !== undefined)
  for (const { line, id, pet } of updates.sort((a, b) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : 0,
  )) {
    const outcome = await tx.attempt(() => run({ id, body: pet, now }))
    if (!('refusal' in outcome) || outcome.refusal === undone) continue
    const { code, message } = outcome.refusal
    problems.push({ line, code, detail: message })
  }
  return problems.sort((a, b) => a.line - b.line)
}
