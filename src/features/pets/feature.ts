import { implement } from '../../http/implement.ts'
import {
  createPetOperation,
  deletePetOperation,
  getPetOperation,
  listPetsOperation,
  updatePetOperation,
} from './contract.ts'
import { createPet } from './create-pet.ts'
import { deletePet } from './delete-pet.ts'
import { getPet } from './get-pet.ts'
import { listPets } from './list-pets.ts'
import { updatePet } from './update-pet.ts'

/** The catalogue (interface 1.0.0, sections 4.1 to 4.3) and its changes. */
export const operations = [
  implement(listPetsOperation, listPets),
  implement(createPetOperation, createPet),
  implement(getPetOperation, getPet),
  implement(updatePetOperation, updatePet),
  implement(deletePetOperation, deletePet),
]
