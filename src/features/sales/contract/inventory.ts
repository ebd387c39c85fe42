import { exportOf } from '../../../contract/export-operation.ts'
import { member } from '../../../contract/member.ts'
import { PetStatus } from '../../../contract/pet-status.ts'
import { operationsOn } from '../../../contract/record-operations.ts'
import {
  assignedId,
  filterBy,
  idsFilter,
  int32,
  objectOf,
  pageOf,
} from '../../../contract/schemas.ts'
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

export const InventoryItem = objectOf(
  'InventoryItem',
  {
    petId: member(assignedId(tetras.petId, 'The identifier of the pet.'), { column: 'id' }),
    quantity: member(quantity, { column: 'on_hand' }),
    status: PetStatus,
  },
  'The stock of a pet that has a status.',
  tetras,
)
export type InventoryItem = Type.Static<typeof InventoryItem>

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

const inventoryFilter = Type.Partial({
  status: filterBy(PetStatus, 'Only pets with this status.'),
  petId: idsFilter('pets'),
})
export type InventoryFilter = Type.Static<typeof inventoryFilter>

const inventory = operationsOn({
  record: 'pet',
  path: '/inventory',
  client: 'inventory',
  tag: storeTag,
  lifecycle: { stability: 'stable' },
  read: 'inventory:read',
  write: 'inventory:write',
  item: InventoryItem,
  taggedBy: 'petId',
})

export const listInventoryOperation = inventory.list({
  operationId: 'listInventory',
  summary: 'List the inventory',
  description:
    'Returns a page of the stock of pets that have a status, in ascending order of pet ids.',
  query: inventoryFilter,
  list: pageOf('Inventory', InventoryItem, [tetras, satinMice], 'the inventory'),
  examples: {
    name: 'available',
    summary: 'The stock of two available pets',
    query: { status: 'available', petId: [42, 70] },
    response: [tetras, satinMice],
  },
})

export const exportInventoryOperation = exportOf(listInventoryOperation, {
  operationId: 'exportInventory',
  summary: 'Export the inventory',
  noun: 'records of the inventory',
})

export const getInventoryOperation = inventory.get({
  operationId: 'getInventory',
  exampleId: 42,
  summary: "Get an animal's stock",
  description:
    'Returns how many of a pet are in stock. A pet without a status is not in the inventory.',
  examples: { name: 'tetras', summary: 'The stock of neon tetras', response: tetras },
  links: [
    inventory.link('updateInventory', 'Set the stock of this pet.'),
    inventory.link('listOrders', 'List the orders of this pet.'),
  ],
})

export const updateInventoryOperation = inventory.update({
  operationId: 'updateInventory',
  exampleId: 32,
  command: 'inventory set',
  summary: "Set an animal's stock",
  description:
    'Sets how many of a pet are in stock. A quantity below what open orders hold is refused.',
  body: InventoryChange,
  errors: ['insufficient_stock'],
  examples: {
    name: 'litter',
    summary: 'Eight spiny mice',
    body: { quantity: spinyMice.quantity },
    response: spinyMice,
  },
})
