import Type from 'typebox'
import { defineOperation } from '../http/operation.ts'
import { int64 } from '../http/schema.ts'
import { PetStatus } from './pet-status.ts'
import { quantityMax } from './stock.ts'

const quantity = Type.Integer({
  minimum: 0,
  maximum: quantityMax,
  description: 'How many are there, those that open orders hold included.',
  allowed: `an integer from 0 to ${quantityMax}`,
})

export const InventoryItem = Type.Object(
  {
    petId: int64({ description: 'The animal.', minimum: 1 }),
    quantity,
    status: PetStatus,
  },
  {
    $id: 'InventoryItem',
    additionalProperties: false,
    description: 'How many there are of an animal that has a status.',
  },
)
export type InventoryItem = Type.Static<typeof InventoryItem>

const InventoryChange = Type.Object(
  { quantity },
  {
    $id: 'InventoryChange',
    description: 'How many there are from now on.',
    allowed: 'a JSON object with quantity',
  },
)
export type InventoryChange = Type.Static<typeof InventoryChange>

const inventoryFilter = Type.Object({
  status: Type.Optional(
    Type.Unsafe<PetStatus>({ ...PetStatus, description: 'Only animals with this status.' }),
  ),
  petId: Type.Optional(
    Type.Array(int64({}), {
      maxItems: 100,
      description: 'Only these animals; repeat it for several.',
      allowed: 'given at most 100 times',
    }),
  ),
})
export type InventoryFilter = Type.Static<typeof inventoryFilter>

const example = { petId: 1, quantity: 3, status: 'available' }

export const listInventoryOperation = defineOperation({
  operationId: 'listInventory',
  method: 'GET',
  path: '/inventory',
  tag: 'store',
  summary: 'List the inventory',
  description:
    'How many there are of each animal that has a status, in ascending order of their ids. Follow the `next` link for more.',
  scope: 'inventory:read',
  lifecycle: { stability: 'beta' },
  query: inventoryFilter,
  answers: 'page',
  item: InventoryItem,
  errors: [],
  examples: { query: { status: 'available' }, item: [example] },
})

export const updateInventoryOperation = defineOperation({
  operationId: 'updateInventory',
  method: 'PATCH',
  path: '/inventory/{petId}',
  pathParameter: { name: 'petId', record: 'pet', description: 'The identifier of the animal.' },
  tag: 'store',
  summary: 'Count an animal',
  description:
    'Sets how many there are of an animal. Open orders keep what they hold: fewer than that is refused.',
  scope: 'inventory:write',
  lifecycle: { stability: 'experimental' },
  body: InventoryChange,
  answers: 'record',
  item: InventoryItem,
  errors: ['not_found', 'insufficient_stock'],
  examples: { body: { quantity: 3 }, item: example },
})
