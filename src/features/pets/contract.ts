import { exportOf } from '../../contract/export-operation.ts'
import { defineOperation, type OperationLink, returnedId } from '../../contract/operation.ts'
import { PetStatus } from '../../contract/pet-status.ts'
import { int64, namePrefix, pageOf, searchedWords, text } from '../../contract/schemas.ts'
import { animalsTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

const sunny = { id: 1, name: 'Sunny, cream Maine Coon', categoryId: 2, status: 'available' }
const tara = { id: 3, name: 'Tara, lutino Senegal parrot', categoryId: 12, status: 'available' }
const percy = { id: 24, name: 'Percy, brown Birman', categoryId: 2, status: 'available' }
const { id: _id, ...newSunny } = sunny

const name = text({
  max: 1000,
  description:
    "The pet's name: 1 to 1,000 code points, at least one of them not white space, no control characters, no lone surrogates. Stored and returned unchanged.",
  examples: [sunny.name],
})
const categoryId = int64({
  description: 'Identifier of the category the pet belongs to.',
  examples: [sunny.categoryId],
})

const status = Type.Optional(PetStatus)

export const NewPet = Type.Object(
  { name, categoryId, status },
  {
    $id: 'NewPet',
    description: 'A pet to add. Unknown members are ignored.',
    allowed: 'a JSON object with name and categoryId',
    examples: [newSunny],
  },
)
export type NewPet = Type.Static<typeof NewPet>

export const PetChange = Type.Object(
  { name: Type.Optional(name), categoryId: Type.Optional(categoryId), status },
  {
    $id: 'PetChange',
    description: 'Fields to change; omitted fields keep their value. Unknown members are ignored.',
    allowed: 'a JSON object with name, categoryId or status',
    examples: [{ status: 'pending' }],
  },
)
export type PetChange = Type.Static<typeof PetChange>

export const Pet = Type.Object(
  {
    id: int64({
      description: 'Unique identifier assigned by the service on creation; never reused.',
      minimum: 1,
      examples: [sunny.id],
    }),
    name,
    categoryId,
    status,
  },
  {
    $id: 'Pet',
    additionalProperties: false,
    description:
      'A pet of the catalogue. Its `status`, if it has one, says whether it can be ordered: a pet that was made `available` becomes `pending` while open orders hold all of it, and `sold` once none is left.',
    examples: [sunny],
  },
)
export type Pet = Type.Static<typeof Pet>

const Pets = pageOf(Pet, { $id: 'Pets', description: 'A page of pets.', examples: [[sunny, tara]] })

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
  name: Type.Optional(namePrefix('Only pets whose name begins with this; case is ignored.')),
  search: Type.Optional(
    searchedWords(
      'Only pets whose name has these words; beta. Each begins a word of the name, in any order; case and accents are ignored. Words are letters and digits in a row, decomposed (NFKD), without marks; in scripts without spaces, such as Chinese, Japanese and Thai, each character is a word. At most eight words; of a name the first 100 words count, and of a word the first 50 characters.',
    ),
  ),
})
export type PetsFilter = Type.Static<typeof petsFilter>

const petId = (example: number) => ({
  name: 'petId',
  record: 'pet',
  description: 'The identifier of the pet.',
  example,
})

const usesOfPet: readonly OperationLink[] = [
  {
    operationId: 'createOrder',
    description: 'Order this pet.',
    body: { petId: returnedId },
  },
  {
    operationId: 'updatePet',
    description: 'Update this pet.',
    parameters: { petId: returnedId },
  },
  {
    operationId: 'getInventory',
    description: 'Get the stock of this pet.',
    parameters: { petId: returnedId },
  },
  {
    operationId: 'updateInventory',
    description: 'Set the stock of this pet.',
    parameters: { petId: returnedId },
  },
  {
    operationId: 'deletePet',
    description: 'Delete this pet.',
    parameters: { petId: returnedId },
  },
  {
    operationId: 'listEvents',
    description: 'List the events of this pet.',
    parameters: { petId: returnedId },
  },
]

/** Interface 1.0.0, section 4.1. */
export const listPetsOperation = defineOperation({
  operationId: 'listPets',
  method: 'GET',
  path: '/pets',
  client: 'pets.list',
  tag: animalsTag,
  summary: 'List all animals',
  description: 'Returns a page of pets in ascending order of ids.',
  scope: 'pets:read',
  lifecycle: {},
  query: petsFilter,
  entityTagFilter: 'id',
  condition: 'If-None-Match',
  returns: 'page',
  item: Pet,
  list: Pets,
  errors: [],
  examples: {
    name: 'percy',
    summary: 'An available Birman whose name begins with "per"',
    query: { status: 'available', categoryId: 2, id: [24, 34], name: 'per', search: 'birman' },
    response: [percy],
  },
})

/** Interface 1.0.0, section 4.2. */
export const createPetOperation = defineOperation({
  operationId: 'createPet',
  method: 'POST',
  path: '/pets',
  client: 'pets.create',
  idempotency: 'replayed',
  tag: animalsTag,
  summary: 'Add an animal',
  description: 'Adds a pet to the catalogue. The response is sent once the pet is durable.',
  scope: 'pets:write',
  lifecycle: {},
  body: NewPet,
  returns: 'created',
  item: Pet,
  hasEntityTag: true,
  errors: [],
  examples: { name: 'sunny', summary: 'A Maine Coon', body: newSunny, response: sunny },
  links: [
    {
      operationId: 'getPet',
      description: 'Get this pet.',
      parameters: { petId: returnedId },
    },
    {
      operationId: 'listPets',
      description: 'Get this pet with the replacement of getPet.',
      parameters: { id: returnedId },
    },
    ...usesOfPet,
  ],
})

/** Interface 1.0.0, section 4.3. */
export const getPetOperation = defineOperation({
  operationId: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  client: 'pets.get',
  pathParameters: [petId(1)],
  tag: animalsTag,
  summary: 'Get an animal',
  description:
    'Returns one pet. Deprecated: it is removed on 5 December 2030. Use `GET /pets` with the `status` filter, or with `id` for one pet.',
  scope: 'pets:read',
  lifecycle: {
    deprecation: {
      deprecatedAt: '2026-11-20T00:00:00Z',
      removedAt: '2030-12-05T00:00:00Z',
      successor: { path: '/pets', idParameter: 'id' },
      advice: 'Use GET /pets with status for all pets with a status, or with id for this one.',
    },
  },
  returns: 'record',
  item: Pet,
  hasEntityTag: true,
  condition: 'If-None-Match',
  errors: ['not_found'],
  examples: { name: 'sunny', summary: 'A Maine Coon', response: sunny },
  links: usesOfPet,
})

export const updatePetOperation = defineOperation({
  operationId: 'updatePet',
  method: 'PATCH',
  path: '/pets/{petId}',
  client: 'pets.update',
  pathParameters: [petId(3)],
  tag: animalsTag,
  summary: 'Update an animal',
  description:
    'Changes the fields that are sent. `status` can change from `available` to `pending` or `sold`, from `pending` to `available` or `sold`, from `sold` to `available` (a return), and from none to any value. It cannot change while an open order holds the pet.',
  scope: 'pets:write',
  lifecycle: { stability: 'stable' },
  body: PetChange,
  returns: 'record',
  item: Pet,
  hasEntityTag: true,
  condition: 'If-Match',
  errors: ['not_found', 'precondition_failed', 'invalid_transition', 'pet_in_open_order'],
  examples: {
    name: 'pending',
    summary: 'A parrot that is no longer offered',
    body: { status: 'pending' },
    response: { ...tara, status: 'pending' },
  },
})

export const deletePetOperation = defineOperation({
  operationId: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
  client: 'pets.delete',
  pathParameters: [petId(4)],
  tag: animalsTag,
  summary: 'Delete an animal',
  description:
    'Removes a pet from the catalogue. A pet that an open order holds cannot be deleted. Its id is never reused.',
  scope: 'pets:write',
  lifecycle: { stability: 'stable' },
  returns: 'nothing',
  item: Pet,
  condition: 'If-Match',
  errors: ['not_found', 'precondition_failed', 'pet_in_open_order', 'body_too_large'],
  examples: { name: 'finn', summary: 'A poodle' },
})

export const exportPetsOperation = exportOf(listPetsOperation, {
  operationId: 'exportPets',
  summary: 'Export all animals',
  noun: 'pets',
})
