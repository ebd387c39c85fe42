import { defineWrite } from '../../db/db.ts'
import { applySteps, type PetTarget } from './apply-steps.ts'
import type { Pet, PetChange } from './contract.ts'

/**
 * Changes the given fields of pets. Refuses with `not_found`, `precondition_failed`, `invalid_transition`,
 * `pet_in_open_order`.
 */
export const updatePet = defineWrite<PetTarget & { body: PetChange }, Pet>({
  name: 'updatePet',
  rowOf: ({ id }) => id,
  run: applySteps<Pet>,
})
