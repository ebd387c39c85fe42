import type { Context } from '../../context/context.ts'
import { entityTagOf } from '../../context/entity-tag.ts'
import { type ErrorCode, errorKindOf } from '../../contract/error-codes.ts'
import { stringifyJson } from '../../contract/int64-json.ts'
import { defineWrite, type Outcome } from '../../db/db.ts'
import { recordingFor } from '../../db/writes/run-write.ts'
import { invalidBody } from '../refuse.ts'
import { applySteps, type PetStep } from './apply-steps.ts'
import type { PetBatch, PetBatchResult } from './batch-contract.ts'
import type { Pet } from './contract.ts'

type Refused = { code: ErrorCode; message: string }

type Done = { pet: Pet } | { refused: Refused } | { isDeleted: true }

/**
 * Changes and deletes pets, each by the rules of `updatePet` and `deletePet`. Resolves only once all is durable. Throws
 * `invalid_body`.
 */
export async function batchPets(
  context: Context,
  { changes }: PetBatch,
): Promise<{ results: PetBatchResult[] }> {
  checkChanges(changes)
  const now = context.clock()
  const steps = changes.map(({ id, ifMatch, update: body }) => ({ id, ifMatch, now, body }))
  const done = await context.db.write(changePets, steps)
  return { results: changes.map(({ id }, index) => resultOf(id, done[index] as Done)) }
}

/** Throws what the schema cannot tell. */
function checkChanges(changes: PetBatch['changes']): void {
  const first = new Map<bigint, number>()
  const problems = changes.flatMap(({ id, update, delete: isDeletion }, index) => {
    const pointer = `/changes/${index}`
    const earlier = first.get(id)
    if (earlier === undefined) first.set(id, index)
    return [
      ...(earlier === undefined
        ? []
        : [
            {
              pointer: `${pointer}/id`,
              detail: `is that of change ${earlier} too: change it once`,
            },
          ]),
      ...((update === undefined) !== (isDeletion === undefined)
        ? []
        : [{ pointer, detail: 'must have either update or delete' }]),
    ]
  })
  if (problems.length > 0) throw invalidBody(problems)
}

function resultOf(id: bigint, done: Done): PetBatchResult {
  if ('refused' in done)
    return { id, status: errorKindOf(done.refused.code).status, error: done.refused }
  if ('isDeleted' in done) return { id, status: 204 }
  return { id, status: 200, pet: done.pet, etag: entityTagOf(stringifyJson(done.pet)) }
}

/** The steps of a batch in one transaction; a refused one changes nothing. */
export const changePets = defineWrite<readonly PetStep[], Done[]>({
  name: 'changePets',
  isLong: true,
  async run(tx, batches) {
    const outcomes: { value: Done[] }[] = []
    for (const steps of batches) {
      const applied = await applySteps(recordingFor(tx, steps), steps)
      outcomes.push({ value: applied.map(doneOf) })
    }
    return outcomes
  },
})

function doneOf(outcome: Outcome<Pet | null>): Done {
  if ('value' in outcome) return outcome.value ? { pet: outcome.value } : { isDeleted: true }
  const { code, message } = outcome.refusal
  return { refused: { code: code as ErrorCode, message } }
}
