import type { Pet, PetChange } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { type Saver, type Saving, useSave } from '../api/use-save.ts'
import { changeOf, newPetOf, type PetDraft } from './pet-draft.ts'
import { fetchPet } from './use-pets.ts'

const saver: Saver<Pet, PetDraft, PetChange> = {
  kind: 'pet',
  fieldNames: ['name', 'categoryId', 'status'],
  async fetchVersion(id, signal) {
    const version = await fetchPet(id, signal)
    if (version === undefined) throw new Error(`Pet ${id} was withdrawn in the meantime.`)
    return version
  },
  add: async (draft, idempotencyKey) => client.pets.create(newPetOf(draft), { idempotencyKey }),
  changeOf,
  update: async (id, change, ifMatch) => client.pets.update(id, change, { ifMatch }),
}

/** Adds a pet, or changes the one that was read. */
export function useSavePet(pet: Pet | undefined): Saving<Pet, PetDraft> {
  return useSave(saver, pet)
}
