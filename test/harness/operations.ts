import assert from 'node:assert/strict'
import { aPet, type TestApi } from './app.ts'

/** A successful request for each operation that takes a key, in a store that `fillStore` has filled. */
export const requests = [
  { operationId: 'listPets', method: 'GET', url: '/v1/pets', scope: 'pets:read', status: 200 },
  {
    operationId: 'createPet',
    method: 'POST',
    url: '/v1/pets',
    scope: 'pets:write',
    status: 201,
    body: aPet(),
  },
  { operationId: 'getPet', method: 'GET', url: '/v1/pets/1', scope: 'pets:read', status: 200 },
  {
    operationId: 'updatePet',
    method: 'PATCH',
    url: '/v1/pets/1',
    scope: 'pets:write',
    status: 200,
    body: { name: 'Max' },
  },
  {
    operationId: 'deletePet',
    method: 'DELETE',
    url: '/v1/pets/1',
    scope: 'pets:write',
    status: 204,
  },
  {
    operationId: 'listCategories',
    method: 'GET',
    url: '/v1/categories',
    scope: 'pets:read',
    status: 200,
  },
  {
    operationId: 'createCategory',
    method: 'POST',
    url: '/v1/categories',
    scope: 'pets:write',
    status: 201,
    body: { name: 'Dogs' },
  },
  {
    operationId: 'getCategory',
    method: 'GET',
    url: '/v1/categories/1',
    scope: 'pets:read',
    status: 200,
  },
  {
    operationId: 'updateCategory',
    method: 'PATCH',
    url: '/v1/categories/1',
    scope: 'pets:write',
    status: 200,
    body: { name: 'Dogs' },
  },
  {
    operationId: 'deleteCategory',
    method: 'DELETE',
    url: '/v1/categories/1',
    scope: 'pets:write',
    status: 204,
  },
  {
    operationId: 'listOrders',
    method: 'GET',
    url: '/v1/store/orders',
    scope: 'orders:read',
    status: 200,
  },
  {
    operationId: 'createOrder',
    method: 'POST',
    url: '/v1/store/orders',
    scope: 'orders:write',
    status: 201,
    body: { petId: 1 },
  },
  {
    operationId: 'getOrder',
    method: 'GET',
    url: '/v1/store/orders/1',
    scope: 'orders:read',
    status: 200,
  },
  {
    operationId: 'shipOrder',
    method: 'POST',
    url: '/v1/store/orders/1/ship',
    scope: 'orders:write',
    status: 200,
  },
  {
    operationId: 'deliverOrder',
    method: 'POST',
    url: '/v1/store/orders/2/deliver',
    scope: 'orders:write',
    status: 200,
  },
  {
    operationId: 'cancelOrder',
    method: 'DELETE',
    url: '/v1/store/orders/1',
    scope: 'orders:write',
    status: 204,
  },
  {
    operationId: 'listInventory',
    method: 'GET',
    url: '/v1/inventory',
    scope: 'inventory:read',
    status: 200,
  },
  {
    operationId: 'getInventory',
    method: 'GET',
    url: '/v1/inventory/1',
    scope: 'inventory:read',
    status: 200,
  },
  {
    operationId: 'updateInventory',
    method: 'PATCH',
    url: '/v1/inventory/1',
    scope: 'inventory:write',
    status: 200,
    body: { quantity: 3 },
  },
] as const

/** Requests of operations without a key. */
export const openRequests = [
  { operationId: 'getLiveness', method: 'GET', url: '/health/live' },
  { operationId: 'getReadiness', method: 'GET', url: '/health/ready' },
  { operationId: 'getDocument', method: 'GET', url: '/v1/openapi.json' },
] as const

/**
 * Puts two of each record into an empty store: available pets, categories, and orders for the second pet, pending and
 * shipped.
 */
export async function fillStore({ send, createPet }: TestApi): Promise<void> {
  await createPet({ status: 'available' })
  await createPet({ status: 'available' })
  for (const [method, url, body] of [
    ['PATCH', '/v1/inventory/2', { quantity: 2 }],
    ['POST', '/v1/categories', { name: 'Cats' }],
    ['POST', '/v1/categories', { name: 'Birds' }],
    ['POST', '/v1/store/orders', { petId: 2 }],
    ['POST', '/v1/store/orders', { petId: 2 }],
    ['POST', '/v1/store/orders/2/ship', undefined],
  ] as const) {
    const { status, text } = await send(method, url, { body })
    assert.ok(status < 300, `${method} ${url}: ${text}`)
  }
}
