import { isPetStatus, type PetStatus } from '../../../src/contract/pet-status.ts'
import { isIdText, isText, searchReader } from '../base/search-params.ts'

/** What the address of the pets page says: the filters, the order, and the pet that the list begins at. */
export type PetSearch = {
  status?: PetStatus
  category?: string
  words?: string
  sort?: '-id'
  at?: string
}

export const readPetSearch = searchReader<PetSearch>({
  status: isPetStatus,
  category: isIdText,
  words: isText,
  sort: (value) => value === '-id',
  at: isIdText,
})
