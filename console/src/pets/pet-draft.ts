import type { Pet } from '../../../client/src/index.ts'
import type { PetStatus } from '../../../src/contract/pet-status.ts'
import { parseId } from '../base/int64-text.ts'

/** A pet as it is being typed. */
export type PetDraft = {
  name: string
  /** The number of the category that is chosen. */
  categoryId: string
  /** What is typed in place of it, as long as it is not chosen. */
  typedCategory?: string | undefined
  status: PetStatus | undefined
}

export function draftOf(pet: Pet | undefined): PetDraft {
  return pet === undefined
    ? { name: '', categoryId: '', status: 'available' }
    : { name: pet.name, categoryId: String(pet.categoryId), status: pet.status }
}

/** The members of a request, as far as they were typed. */
export function bodyOf({ name, categoryId, status }: PetDraft) {
  return { name, categoryId: parseId(categoryId), status }
}

/** What was typed that names no category is not passed over. */
export function mistakesIn({ typedCategory = '' }: PetDraft): Record<string, string> {
  return typedCategory.trim() === ''
    ? {}
    : { categoryId: 'Category must be chosen from the list, or be a number.' }
}
