import Type from 'typebox'
import { defineOperation } from '../http/operation.ts'
import { int64 } from '../http/schema.ts'
import { namePrefix, text } from '../http/text.ts'
import { PetStatus } from '../inventory/pet-status.ts'

const name = text({
  max: 1000,
  description:
    "The animal's name: 1 to 1,000 code points, at least one of them not white space, no control characters. Stored and returned unchanged.",
})
const categoryId = int64({ description: 'Identifier of the category the animal belongs to.' })
const status = Type.Optional(PetStatus)

export const NewPet = Type.Object(
  { name, categoryId, status },
  {
    $id: 'NewPet',
    description: 'An animal to add. Unknown members are ignored.',
    allowed: 'a JSON object with name and categoryId',
  },
)
export type NewPet = Type.Static<typeof NewPet>

const PetChange = Type.Object(
  { name: Type.Optional(name), categoryId: Type.Optional(categoryId), status },
  {
    $id: 'PetChange',
    description:
      'What is to be another from now on; what is absent stays. Unknown members are ignored.',
    allowed: 'a JSON object with name, categoryId or status',
  },
)
export type PetChange = Type.Static<typeof PetChange>

export const Pet = Type.Object(
  {
    id: int64({
      description: 'Unique identifier assigned by the service on creation; never reused.',
      minimum: 1,
    }),
    name,
    categoryId,
    status,
  },
  {
    $id: 'Pet',
    additionalProperties: false,
    description:
      'An animal. `status` is as it was written, and absent when it never was; one that was written as `available` follows the stock: `pending` while orders hold all there is, `sold` when none is left.',
  },
)
export type Pet = Type.Static<typeof Pet>

const petsFilter = Type.Object({
  status: Type.Optional(
    Type.Unsafe<PetStatus>({ ...PetStatus, description: 'Only pets with this status.' }),
  ),
  categoryId: Type.Optional(int64({ description: 'Only pets of this category.' })),
  id: Type.Optional(
    Type.Array(int64({}), {
      maxItems: 100,
      description: 'Only pets with one of these ids; repeat it for several.',
      allowed: 'given at most 100 times',
    }),
  ),
  name: Type.Optional(namePrefix('Only pets whose name begins with this, whatever its case.')),
})
export type PetsFilter = Type.Static<typeof petsFilter>

const petId = { name: 'petId', record: 'pet', description: 'The identifier of the animal.' }
const example = { id: 1, name: 'Rex', categoryId: 7, status: 'available' }

/** Interface 1.0.0, section 4.1. */
export const listPetsOperation = defineOperation({
  operationId: 'listPets',
  method: 'GET',
  path: '/pets',
  tag: 'animals',
  summary: 'List all animals',
  description: 'A page of pets in ascending order of their ids. Follow the `next` link for more.',
  scope: 'pets:read',
  lifecycle: {},
  query: petsFilter,
  tagFilter: 'id',
  answers: 'page',
  item: Pet,
  errors: [],
  examples: { query: { limit: 20, status: 'available' }, item: [example] },
})

/** Interface 1.0.0, section 4.2. */
export const createPetOperation = defineOperation({
  operationId: 'createPet',
  method: 'POST',
  path: '/pets',
  tag: 'animals',
  summary: 'Add an animal',
  description: 'Adds a pet to the catalogue. Answered only once the pet is durable.',
  scope: 'pets:write',
  lifecycle: {},
  body: NewPet,
  answers: 'created',
  item: Pet,
  isTagged: true,
  errors: [],
  examples: { body: { name: 'Rex', categoryId: 7, status: 'available' }, item: example },
})

/** Interface 1.0.0, section 4.3. */
export const getPetOperation = defineOperation({
  operationId: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  pathParameter: petId,
  tag: 'animals',
  summary: 'Get an animal',
  description:
    'Deprecated, and removed on 5 December 2030. Use `GET /pets` with `status`, or with `id` for the same animal.',
  scope: 'pets:read',
  lifecycle: {
    deprecation: {
      deprecatedAt: '2026-11-20T00:00:00Z',
      removedAt: '2030-12-05T00:00:00Z',
      successorPath: '/pets',
      advice: 'Use GET /pets with status for all animals of a status, or with id for this one.',
    },
  },
  answers: 'record',
  item: Pet,
  isTagged: true,
  errors: ['not_found'],
  examples: { item: example },
})

export const updatePetOperation = defineOperation({
  operationId: 'updatePet',
  method: 'PATCH',
  path: '/pets/{petId}',
  pathParameter: petId,
  tag: 'animals',
  summary: 'Change an animal',
  description:
    'Changes the members that are sent. A status goes from `available` to `pending` or `sold`, from `pending` to `available` or `sold`, from `sold` to `available` (a return), and from none to any; not while an open order holds the animal.',
  scope: 'pets:write',
  lifecycle: { stability: 'beta' },
  body: PetChange,
  answers: 'record',
  item: Pet,
  isTagged: true,
  errors: ['not_found', 'precondition_failed', 'invalid_transition', 'pet_in_open_order'],
  examples: { body: { status: 'sold' }, item: { ...example, status: 'sold' } },
})

export const deletePetOperation = defineOperation({
  operationId: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
  pathParameter: petId,
  tag: 'animals',
  summary: 'Remove an animal',
  description:
    'Removes a pet from the catalogue; not while an open order holds it. Its id is never given out again.',
  scope: 'pets:write',
  lifecycle: { stability: 'beta' },
  answers: 'nothing',
  item: Pet,
  isTagged: true,
  errors: ['not_found', 'precondition_failed', 'pet_in_open_order'],
  examples: { item: example },
})
