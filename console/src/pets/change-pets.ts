import type { Pet, PetBatch } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { noteChanges } from '../api/following.ts'
import { createStore } from '../base/store.ts'
import { delay } from '../shared/delayed-actions.ts'

type Change = PetBatch['changes'][number]

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

/** Changes pets after some seconds in which all of it can be undone. Says which were refused, and why. */
export function changePets(
  pets: readonly Pet[],
  { verb, done, change }: { verb: string; done: string; change: Omit<Change, 'id'> },
): void {
  const name = countOf(pets.length)
  changes += 1
  const refused: { pet: Pet; reason: string }[] = []
  delay({
    id: `pets ${changes}`,
    verb,
    name,
    done: () => `${countOf(pets.length - refused.length)} ${done}`,
    async send() {
      for (let first = 0; first < pets.length; first += batchMax) {
        const sent = pets.slice(first, first + batchMax)
        const batch = { changes: sent.map(({ id }) => ({ id, ...change })) }
        const { results } = await client.pets.batch(batch)
        for (const [index, { error }] of results.entries()) {
          const pet = sent[index]
          if (error && pet) refused.push({ pet, reason: error.message })
        }
        noteChanges(['pet'])
      }
      if (refused.length > 0) refusedChanges.set({ title: `${verb} ${name}`, pets: refused })
    },
  })
}

/** Such as `1 pet` or `1,200 pets`. */
export function countOf(pets: number): string {
  return `${pets.toLocaleString('en')} ${pets === 1 ? 'pet' : 'pets'}`
}
