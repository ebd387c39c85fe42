import Type from 'typebox'
import { defineOperation } from '../http/operation.ts'
import { int64 } from '../http/schema.ts'

/** Interface 1.0.0, section 2. It never grows. */
const petStatuses = ['available', 'pending', 'sold'] as const

export const PetStatus = Type.Unsafe<(typeof petStatuses)[number]>({
  $id: 'PetStatus',
  type: 'string',
  enum: petStatuses,
  description: 'Availability of a pet.',
  allowed: 'available, pending or sold',
})
export type PetStatus = Type.Static<typeof PetStatus>

const name = Type.String({
  description:
    "The animal's name: 1 to 1,000 code points, at least one of them not white space, no control characters. Stored and returned unchanged.",
  minLength: 1,
  maxLength: 1000,
  // White space, something else, anything: in this form a mismatch is found in one pass.
  // Cc: control characters. Cs: surrogates, which in well-formed text never stand alone.
  pattern: '^[\\p{Z}\\ufeff]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$',
  allowed:
    'a string of 1 to 1000 characters, at least one of them not white space, none of them a control character or a lone surrogate',
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
    description: 'An animal. `status` is as it was written, and absent when it never was.',
  },
)
export type Pet = Type.Static<typeof Pet>

const petsQuery = Type.Object({
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
})
export type PetsQuery = Type.Static<typeof petsQuery>

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
  query: petsQuery,
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
  errors: [],
  examples: { body: { name: 'Rex', categoryId: 7, status: 'available' }, item: example },
})

/** Interface 1.0.0, section 4.3. */
export const getPetOperation = defineOperation({
  operationId: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  pathParameter: { name: 'petId', record: 'pet', description: 'The identifier of the animal.' },
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
  errors: ['not_found'],
  examples: { item: example },
})
