import { isPetStatus, type PetStatus } from '../../../src/contract/pet-status.ts'
import { isIdText, isText } from '../base/search-params.ts'

/** What the address of the pets page says: the filters, the order, and the pet that the list begins at. */
export type PetSearch = {
  status?: PetStatus
  category?: string
  name?: string
  sort?: '-id'
  at?: string
}

/** Reads the address; what makes no sense there is left out. */
export function readPetSearch(address: Record<string, unknown>): PetSearch {
  const { status, category, name, sort, at } = address
  return {
    ...(isPetStatus(status) && { status: status as PetStatus }),
    ...(isIdText(category) && { category }),
    ...(isText(name) && { name }),
    ...(sort === '-id' && { sort }),
    ...(isIdText(at) && { at }),
  }
}
