import { exportOf } from '../../contract/export-operation.ts'
import { member } from '../../contract/member.ts'
import { type OperationLink, returnedId } from '../../contract/operation.ts'
import { PetStatus } from '../../contract/pet-status.ts'
import { defineRecord } from '../../contract/record.ts'
import { operationsOn } from '../../contract/record-operations.ts'
import {
  assignedId,
  filterBy,
  idsFilter,
  int64,
  namePrefix,
  searchedWords,
  sortByName,
  text,
} from '../../contract/schemas.ts'
import { animalsTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'
import { detailsColumns } from '../details/contract.ts'

const sunny = { id: 1, name: 'Sunny, cream Maine Coon', categoryId: 2, status: 'available' }
const tara = { id: 3, name: 'Tara, lutino Senegal parrot', categoryId: 12, status: 'available' }
const percy = { id: 24, name: 'Percy, brown Birman', categoryId: 2, status: 'available' }
const newFinn = { name: 'Finn, black poodle', categoryId: 1, status: 'available' }

export const pet = defineRecord({
  noun: 'pet',
  description:
    'A pet of the catalogue. Its `status`, if it has one, says whether it can be ordered: a pet that was made `available` becomes `pending` while open orders hold all of it, and `sold` once none is left.',
  isClosed: true,
  members: {
    id: assignedId(
      sunny.id,
      'Unique identifier assigned by the service on creation; never reused.',
    ),
    name: text({
      max: 1000,
      description:
        "The pet's name: 1 to 1,000 code points, at least one of them not white space, no control characters, no lone surrogates. Stored and returned unchanged.",
      examples: [sunny.name],
    }),
    categoryId: int64({
      description: 'Identifier of the category the pet belongs to.',
      examples: [sunny.categoryId],
    }),
    // It can be changed, and not removed.
    status: Type.Optional(member(PetStatus, { change: PetStatus })),
  },
  examples: { record: sunny, list: [sunny, tara], new: newFinn, changes: [{ status: 'pending' }] },
})
export type Pet = Type.Static<typeof pet.Item>
export type NewPet = Type.Static<typeof pet.New>
export type PetChange = Type.Static<typeof pet.Change>

const petsFilter = Type.Partial({
  status: filterBy(PetStatus, 'Only pets with this status.'),
  categoryId: int64({ description: 'Only pets of this category.' }),
  id: idsFilter('pets'),
  name: namePrefix('Only pets whose name begins with this; case is ignored.'),
  search: searchedWords(
    'Only pets whose name has these words. Each begins a word of the name, in any order; case and accents are ignored. Words are letters and digits in a row, decomposed (NFKD), without marks; in scripts without spaces, such as Chinese, Japanese and Thai, each character is a word. At most eight words; of a name the first 100 words count, and of a word the first 50 characters.',
  ),
})
export type PetsFilter = Type.Static<typeof petsFilter>

const pets = operationsOn({
  ...pet.kind,
  tag: animalsTag,
  lifecycle: { stability: 'stable' },
  read: 'pets:read',
  write: 'pets:write',
  taggedBy: 'id',
})

const usesOfPet: readonly OperationLink[] = [
  { operationId: 'createOrder', description: 'Order this pet.', body: { petId: returnedId } },
  pets.link('updatePet', 'Update this pet.'),
  pets.link('getInventory', 'Get the stock of this pet.'),
  pets.link('updateInventory', 'Set the stock of this pet.'),
  pets.link('deletePet', 'Delete this pet.'),
  pets.link('listEvents', 'List the events of this pet.'),
]

/** Interface 1.0.0, section 4.1. */
export const listPetsOperation = pets.list({
  summary: 'List all animals',
  description: 'Returns a page of pets in ascending order of ids, or in that of `sort`.',
  lifecycle: {},
  query: Type.Partial({ ...petsFilter.properties, sort: sortByName }),
  examples: {
    name: 'percy',
    summary: 'An available Birman whose name begins with "per"',
    query: { status: 'available', categoryId: 2, id: [24, 34], name: 'per', search: 'birman' },
    response: [percy],
  },
})

/** Interface 1.0.0, section 4.2. */
export const createPetOperation = pets.create({
  summary: 'Add an animal',
  description:
    'Adds a pet to the catalogue. Its category is not looked up: create it first, with `createCategory`. The response is sent once the pet is durable.',
  lifecycle: {},
  examples: {
    name: 'finn',
    summary: 'A poodle',
    body: newFinn,
    response: { id: 4, ...newFinn },
  },
  links: [
    pets.link('getPet', 'Get this pet.'),
    {
      operationId: 'listPets',
      description: 'Get this pet with the replacement of getPet.',
      parameters: { id: returnedId },
    },
    ...usesOfPet,
  ],
})

/** Interface 1.0.0, section 4.3. */
export const getPetOperation = pets.get({
  exampleId: 1,
  summary: 'Get an animal',
  description:
    'Returns one pet. Deprecated: it is removed on 5 December 2030. Use `GET /pets` with the `status` filter, or with `id` for one pet.',
  lifecycle: {
    deprecation: {
      deprecatedAt: '2026-11-20T00:00:00Z',
      removedAt: '2030-12-05T00:00:00Z',
      successor: { path: '/pets', idParameter: 'id' },
      advice: 'Use GET /pets with status for all pets with a status, or with id for this one.',
    },
  },
  examples: { name: 'sunny', summary: 'A Maine Coon', response: sunny },
  links: usesOfPet,
})

export const updatePetOperation = pets.update({
  exampleId: 3,
  summary: 'Update an animal',
  description:
    'Changes the fields that are sent. `status` can change from `available` to `pending` or `sold`, from `pending` to `available` or `sold`, from `sold` to `available` (a return), and from none to any value. It cannot change while an open order holds the pet.',
  errors: ['invalid_transition', 'pet_in_open_order'],
  examples: {
    name: 'pending',
    summary: 'A parrot that is no longer offered',
    body: { status: 'pending' },
    response: { ...tara, status: 'pending' },
  },
})

export const deletePetOperation = pets.delete({
  exampleId: 4,
  summary: 'Delete an animal',
  description:
    'Removes a pet from the catalogue. A pet that an open order holds cannot be deleted. Its id is never reused.',
  errors: ['pet_in_open_order'],
  examples: { name: 'finn', summary: 'A poodle' },
})

export const exportPetsOperation = exportOf(listPetsOperation, {
  operationId: 'exportPets',
  summary: 'Export all animals',
  noun: 'pets',
  columns: ['id', 'name', 'category', 'categoryId', 'status', ...Object.keys(detailsColumns)],
  records: [
    {
      id: 24,
      name: percy.name,
      category: 'Cats',
      categoryId: 2,
      status: 'available',
      description: 'Came to us when the owner moved.',
      price: '650.00',
      currency: 'EUR',
      bornOn: '2024-11-20',
      sex: 'male',
      tags: ['beginners'],
    },
  ],
})
