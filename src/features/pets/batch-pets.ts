import type { Context } from '../../context/context.ts'
import { entityTagOf } from '../../context/entity-tag.ts'
import { type ErrorCode, errorKindOf } from '../../contract/error-codes.ts'
import { stringifyJson } from '../../contract/int64-json.ts'
import { defineWrite, type Tx } from '../../db/db.ts'
import { invalidBody } from '../refuse.ts'
import type { PetBatch, PetBatchResult } from './batch-contract.ts'
import type { Pet, PetChange } from './contract.ts'
import { deletePet } from './delete-pet.ts'
import type { PetTarget } from './lock-pet.ts'
import { updatePet } from './update-pet.ts'

type Refused = { code: ErrorCode; message: string }

/** A change to make, or a pet to delete where `body` is absent. */
type Step = PetTarget & { body?: PetChange | undefined }

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

/** The steps of a batch in one transaction; what one refuses is undone alone. */
export const changePets = defineWrite<readonly Step[], Done[]>({
  name: 'changePets',
  isLong: true,
  async run(tx, batches) {
    const outcomes: { value: Done[] }[] = []
    for (const steps of batches) outcomes.push({ value: await runSteps(tx, steps) })
    return outcomes
  },
})

/** In the order of ids, so that concurrent transactions cannot deadlock. */
async function runSteps(tx: Tx, steps: readonly Step[]): Promise<Done[]> {
  const own: Tx = {
    ...tx,
    record: (input, change) => tx.record(input === undefined ? undefined : steps, change),
  }
  const done: Done[] = []
  const order = [...steps.entries()].sort(([, a], [, b]) => (a.id < b.id ? -1 : 1))
  for (const [index, step] of order) done[index] = await runStep(own, step)
  return done
}

async function runStep(tx: Tx, { body, ...target }: Step): Promise<Done> {
  const outcome = await tx.attempt(async () => {
    if (!body) await deletePet.run(tx, [target])
    return body && updatePet.run(tx, [{ ...target, body }])
  })
  if ('refusal' in outcome) {
    const { code, message } = outcome.refusal
    return { refused: { code: code as ErrorCode, message } }
  }
  const [changed] = outcome.value ?? []
  return changed && 'value' in changed ? { pet: changed.value } : { isDeleted: true }
}
