import { isPetStatus, type PetStatus } from '../../../src/features/pets/pet-status.ts'
import { parseId } from '../shared/int64-text.ts'

/** What the address of the pets page says: the filters, the order, and the pet that the list begins at. */
export type PetsSearch = {
  status?: PetStatus
  category?: string
  name?: string
  sort?: '-id'
  at?: string
}

/** What of an address is to be another; `undefined` takes a filter away. */
export type SearchChange = { [Name in keyof PetsSearch]?: PetsSearch[Name] | undefined }

/** Reads the address; what makes no sense there is left out. */
export function readPetsSearch(search: Record<string, unknown>): PetsSearch {
  const { status, category, name, sort, at } = search
  return {
    ...(isPetStatus(status) && { status: status as PetStatus }),
    ...(isId(category) && { category }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(sort === '-id' && { sort }),
    ...(isId(at) && { at }),
  }
}

function isId(text: unknown): text is string {
  return typeof text === 'string' && parseId(text) !== undefined
}
