import { defineOperation, type OperationLink } from '../../../contract/operation.ts'
import { PetStatus } from '../../../contract/pet-status.ts'
import { int32, int64, pageOf } from '../../../contract/schemas.ts'
import { storeTag } from '../../../contract/tags.ts'
import * as Type from '../../../contract/type.ts'
import { quantityMax } from '../stock.ts'

const tetras = { petId: 42, quantity: 110, status: 'available' }
const satinMice = { petId: 70, quantity: 3, status: 'available' }
const spinyMice = { petId: 32, quantity: 8, status: 'available' }

const quantity = int32({
  minimum: 0,
  maximum: quantityMax,
  description: 'How many are in stock, including those that open orders hold.',
  examples: [tetras.quantity],
})

export const InventoryItem = Type.Object(
  {
    petId: int64({
      description: 'The identifier of the pet.',
      minimum: 1,
      examples: [tetras.petId],
    }),
    quantity,
    status: PetStatus,
  },
  {
    $id: 'InventoryItem',
    description: 'The stock of a pet that has a status.',
    examples: [tetras],
  },
)
export type InventoryItem = Type.Static<typeof InventoryItem>

const Inventory = pageOf(InventoryItem, {
  $id: 'Inventory',
  description: 'A page of the inventory.',
  examples: [[tetras, satinMice]],
})

const InventoryChange = Type.Object(
  { quantity },
  {
    $id: 'InventoryChange',
    description: 'The new stock of a pet.',
    allowed: 'a JSON object with quantity',
    examples: [{ quantity: spinyMice.quantity }],
  },
)
export type InventoryChange = Type.Static<typeof InventoryChange>

const inventoryFilter = Type.Object({
  status: Type.Optional(
    Type.Unsafe<PetStatus>({ ...PetStatus, description: 'Only pets with this status.' }),
  ),
  petId: Type.Optional(
    Type.Array(int64({}), {
      maxItems: 100,
      description: 'Only pets with one of these ids; repeat it for several.',
      allowed: 'given at most 100 times',
    }),
  ),
})
export type InventoryFilter = Type.Static<typeof inventoryFilter>

const petId = (example: number) => ({
  name: 'petId',
  record: 'pet',
  description: 'The identifier of the pet.',
  example,
})

const returnedPetId = { petId: '$response.body#/petId' }

const linksOfItem: readonly OperationLink[] = [
  {
    operationId: 'updateInventory',
    description: 'Set the stock of this pet.',
    parameters: returnedPetId,
  },
  {
    operationId: 'listOrders',
    description: 'List the orders of this pet.',
    parameters: returnedPetId,
  },
]

export const listInventoryOperation = defineOperation({
  operationId: 'listInventory',
  method: 'GET',
  path: '/inventory',
  client: 'inventory.list',
  tag: storeTag,
  summary: 'List the inventory',
  description:
    'Returns a page of the stock of pets that have a status, in ascending order of pet ids.',
  scope: 'inventory:read',
  lifecycle: { stability: 'stable' },
  query: inventoryFilter,
  entityTagFilter: 'petId',
  condition: 'If-None-Match',
  returns: 'page',
  item: InventoryItem,
  list: Inventory,
  errors: [],
  examples: {
    name: 'available',
    summary: 'The stock of two available pets',
    query: { status: 'available', petId: [42, 70] },
    response: [tetras, satinMice],
  },
})

export const getInventoryOperation = defineOperation({
  operationId: 'getInventory',
  method: 'GET',
  path: '/inventory/{petId}',
  client: 'inventory.get',
  pathParameters: [petId(42)],
  tag: storeTag,
  summary: "Get an animal's stock",
  description:
    'Returns how many of a pet are in stock. A pet without a status is not in the inventory.',
  scope: 'inventory:read',
  lifecycle: { stability: 'stable' },
  returns: 'record',
  item: InventoryItem,
  hasEntityTag: true,
  condition: 'If-None-Match',
  errors: ['not_found'],
  examples: { name: 'tetras', summary: 'The stock of neon tetras', response: tetras },
  links: linksOfItem,
})

export const updateInventoryOperation = defineOperation({
  operationId: 'updateInventory',
  method: 'PATCH',
  path: '/inventory/{petId}',
  client: 'inventory.update',
  command: 'inventory set',
  pathParameters: [petId(32)],
  tag: storeTag,
  summary: "Set an animal's stock",
  description:
    'Sets how many of a pet are in stock. A quantity below what open orders hold is refused.',
  scope: 'inventory:write',
  lifecycle: { stability: 'stable' },
  body: InventoryChange,
  returns: 'record',
  item: InventoryItem,
  hasEntityTag: true,
  condition: 'If-Match',
  errors: ['not_found', 'precondition_failed', 'insufficient_stock'],
  examples: {
    name: 'litter',
    summary: 'Eight spiny mice',
    body: { quantity: spinyMice.quantity },
    response: spinyMice,
  },
})
