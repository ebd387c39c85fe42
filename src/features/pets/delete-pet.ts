import { defineWrite } from '../../db/db.ts'
import { applySteps, type PetTarget } from './apply-steps.ts'

/** Removes pets for good; ids are never reused. Refuses with `not_found`, `precondition_failed`, `pet_in_open_order`. */
export const deletePet = defineWrite<PetTarget, null>({
  name: 'deletePet',
  rowOf: ({ id }) => id,
  run: applySteps<null>,
})
