import { bind } from '../http/operation.ts'
import { createPetOperation, getPetOperation, listPetsOperation } from './contract.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { listPets } from './list-pets.ts'

/** The catalogue (interface 1.0.0, sections 4.1 to 4.3). */
export const petsFeature = [
  bind(listPetsOperation, listPets),
  bind(createPetOperation, (context, { body }) => createPet(context, body)),
  bind(getPetOperation, (context, { id }) => getPet(context, id)),
]
