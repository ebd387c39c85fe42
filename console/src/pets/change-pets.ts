import type { Pet, PetBatch, PetBatchResult } from '../../../client/src/index.ts'
import { client } from '../api/client.ts'
import { noteChanges } from '../api/following.ts'
import { formatCounted } from '../base/format.ts'
import { createStore } from '../base/store.ts'
import { delay } from '../shared/delayed-actions.ts'

type Change = PetBatch['changes'][number]
/** The same change for each pet. */
export type PetsChange = Omit<Change, 'id'>

/** Why some of the chosen pets were not changed. */
type RefusedChanges = {
  /** Such as `Withdrawing 3 pets`. */
  title: string
  pets: readonly { pet: Pet; reason: string }[]
}

/** Shown until it is read. */
export const refusedChanges = createStore<RefusedChanges | undefined>(undefined)

/** The most changes of one request. */
const batchMax = 1_000

let changes = 0

/**
 * Changes pets after some seconds in which all of it can be undone, and withdraws them only as they are now. Says which
 * were refused, and why.
 */
export function changePets(
  pets: readonly Pet[],
  { verb, done, change }: { verb: string; done: string; change: PetsChange },
): void {
  const name = formatCounted(pets.length, 'pet')
  changes += 1
  const refused: { pet: Pet; reason: string }[] = []
  const tags = change.delete ? findTags(pets) : undefined
  // `send` reports the failure.
  tags?.catch(() => undefined)
  delay({
    id: `pets ${changes}`,
    verb,
    name,
    done: () => `${formatCounted(pets.length - refused.length, 'pet')} ${done}`,
    async send() {
      const current = await tags
      const wanted = pets.map((pet, index) => {
        const ifMatch = current?.[index]
        return { id: pet.id, ...change, ...(ifMatch && { ifMatch }) }
      })
      const results = await sendChanges(wanted).finally(() => noteChanges(['pet']))
      for (const [index, { error }] of results.entries()) {
        const pet = pets[index]
        if (error && pet) refused.push({ pet, reason: error.message })
      }
      if (refused.length > 0) refusedChanges.set({ title: `${verb} ${name}`, pets: refused })
    },
  })
}

/** The entity tags of pets, of which nothing is changed; undefined for one that is gone. */
async function findTags(pets: readonly Pet[]): Promise<(string | undefined)[]> {
  const results = await sendChanges(pets.map(({ id }) => ({ id, update: {} })))
  return results.map(({ etag }) => etag)
}

async function sendChanges(changes: readonly Change[]): Promise<PetBatchResult[]> {
  const all: PetBatchResult[] = []
  for (let first = 0; first < changes.length; first += batchMax) {
    const batch = { changes: changes.slice(first, first + batchMax) }
    all.push(...(await client.pets.batch(batch)).results)
  }
  return all
}
