import { defineOperation } from '../../contract/operation.ts'
import { assignedId, bodyOf, int32, objectOf } from '../../contract/schemas.ts'
import { animalsTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'
import { pet } from './contract.ts'

const changesMax = 1_000
const tara = { id: 3, name: 'Tara, lutino Senegal parrot', categoryId: 12, status: 'pending' }
const tag = '"H98KQjI4C0fcqU5U2l3c45"'
const update = { id: tara.id, update: { status: 'pending' } }
const updated = { id: tara.id, status: 200, pet: tara, etag: tag }
const notFound = { code: 'not_found', message: 'There is no pet with the id 999.' }

const id = assignedId(tara.id, 'The identifier of the pet.')

const PetBatchChange = Type.Object(
  {
    id,
    ifMatch: Type.Optional(
      Type.String({
        description:
          'An entity tag of the pet, or `*`: the change is made only if it is current, as with the header `If-Match`.',
        maxLength: 128,
        pattern: '^([*]|(W/)?"[!#-~\\x80-\\xFF]*")$',
        allowed: '* or an entity tag in double quotes, as it came in ETag or in etag',
        examples: [tag],
      }),
    ),
    update: Type.Optional(pet.Change),
    delete: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        const: true,
        description: 'Whether the pet is deleted.',
        allowed: 'true, or left out',
        examples: [true],
      }),
    ),
  },
  {
    $id: 'PetBatchChange',
    description: 'A change of one pet: either `update`, or `delete`.',
    allowed: 'a JSON object with id, and with update or delete',
    examples: [update],
  },
)

const PetBatch = bodyOf(
  'PetBatch',
  {
    changes: Type.Array(PetBatchChange, {
      description: 'The changes, each of another pet.',
      minItems: 1,
      maxItems: changesMax,
      allowed: `an array of 1 to ${changesMax} changes`,
      examples: [[update]],
    }),
  },
  'Changes of several pets.',
  { changes: [update] },
)
export type PetBatch = Type.Static<typeof PetBatch>

const PetBatchResult = objectOf(
  'PetBatchResult',
  {
    id,
    status: int32({
      minimum: 200,
      maximum: 599,
      description:
        'The status that a request for this change alone would get: 200 after `update`, 204 after `delete`, else the status of its error.',
      examples: [200],
    }),
    pet: Type.Optional(pet.Item),
    etag: Type.Optional(
      Type.String({
        description: 'The entity tag of the pet, for a later `ifMatch`.',
        maxLength: 128,
        examples: [tag],
      }),
    ),
    error: Type.Optional(
      objectOf(
        'PetBatchError',
        {
          code: Type.String({
            description: 'One of the error codes of the service.',
            maxLength: 100,
            examples: [notFound.code],
          }),
          message: Type.String({
            description: 'What is wrong, for people.',
            maxLength: 10_000,
            examples: [notFound.message],
          }),
        },
        'Why a change was refused.',
        notFound,
      ),
    ),
  },
  'What became of one change.',
  updated,
)
export type PetBatchResult = Type.Static<typeof PetBatchResult>

const PetBatchResults = objectOf(
  'PetBatchResults',
  {
    results: Type.Array(PetBatchResult, {
      description: 'A result for each change, in the same order.',
      maxItems: changesMax,
      examples: [[updated]],
    }),
  },
  'What became of the changes.',
  { results: [updated] },
)

export const batchPetsOperation = defineOperation({
  operationId: 'batchPets',
  method: 'POST',
  path: '/pets/batch',
  client: 'pets.batch',
  idempotency: 'replayed',
  tag: animalsTag,
  summary: 'Change many animals',
  description:
    'Changes and deletes up to 1,000 pets in one transaction. Each change follows the rules of updatePet or deletePet, and has its own result: those that are refused do not affect the others. A body that is invalid changes nothing.',
  scope: 'pets:write',
  lifecycle: { stability: 'beta' },
  body: { mediaTypes: ['application/json'], sizeMaxBytes: 2 ** 20, schema: PetBatch },
  returns: 'value',
  item: PetBatchResults,
  errors: [],
  examples: {
    name: 'pending',
    summary: 'A parrot that is no longer offered, and a pet that does not exist',
    body: { changes: [update, { id: 999, delete: true }] },
    response: { results: [updated, { id: 999, status: 404, error: notFound }] },
  },
})
