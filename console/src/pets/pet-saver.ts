import type { Pet, PetChange } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import type { Saver } from '../editor/use-save.ts'
import { changeOf, mistakesIn, newPetOf, type PetDraft } from './pet-draft.ts'
import { findPet } from './pet-list.ts'

/** How pets are added and changed. */
export const petSaver: Saver<Pet, PetDraft, PetChange> = {
  kind: 'pet',
  fieldLabels: { name: 'Name', categoryId: 'Category', status: 'Status' },
  mistakesIn,
  add: async (draft, idempotencyKey) => client.pets.create(newPetOf(draft), { idempotencyKey }),
  change: {
    async fetchVersion(id, signal) {
      const version = await findPet(id, signal)
      if (version === undefined) throw new Error(`Pet ${id} was withdrawn in the meantime.`)
      return version
    },
    changeOf,
    update: async (id, change, ifMatch) => client.pets.update(id, change, { ifMatch }),
  },
}
