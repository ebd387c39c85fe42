import type { NewPet, Pet, PetChange } from '../../../client/src/generated/records.ts'
import type { PetStatus } from '../../../src/contract/pet-status.ts'
import { parseId } from '../base/int64-text.ts'

/** A pet as it is being typed. */
export type PetDraft = {
  name: string
  /** The number of the category that is chosen. */
  category: string
  /** What is typed in place of it, as long as it is not chosen. */
  typedCategory?: string | undefined
  status: PetStatus | undefined
}

export function draftOf(pet: Pet | undefined): PetDraft {
  return pet === undefined
    ? { name: '', category: '', status: 'available' }
    : { name: pet.name, category: String(pet.categoryId), status: pet.status }
}

/** The pet to add. What was not typed is missing: the service says what it needs. */
export function newPetOf({ name, category, status }: PetDraft): NewPet {
  const categoryId = parseId(category)
  return {
    ...(name === '' ? {} : { name }),
    ...(categoryId === undefined ? {} : { categoryId }),
    ...(status === undefined ? {} : { status }),
  } as NewPet
}

/** What differs from the pet as it was read. */
export function changeOf({ name, category, status }: PetDraft, base: Pet): PetChange {
  const categoryId = parseId(category)
  return {
    ...(name === base.name ? {} : { name }),
    ...(categoryId === undefined || categoryId === base.categoryId ? {} : { categoryId }),
    ...(status === undefined || status === base.status ? {} : { status }),
  }
}

/** What was typed that names no category is not passed over. */
export function mistakesIn({ typedCategory = '' }: PetDraft): Record<string, string> {
  return typedCategory.trim() === ''
    ? {}
    : { categoryId: 'Category must be chosen from the list, or be a number.' }
}
