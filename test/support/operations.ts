import { aPet } from './app.ts'

/** A request that succeeds, for each operation that takes a key, where pet 1 is there. */
export const requests = [
  { operationId: 'listPets', method: 'GET', url: '/v1/pets', scope: 'pets:read' },
  { operationId: 'createPet', method: 'POST', url: '/v1/pets', scope: 'pets:write', body: aPet() },
  { operationId: 'getPet', method: 'GET', url: '/v1/pets/1', scope: 'pets:read' },
  { operationId: 'listOrders', method: 'GET', url: '/v1/store/orders', scope: 'orders:read' },
] as const

/** Those that take none. */
export const openRequests = [
  { operationId: 'getLiveness', method: 'GET', url: '/health/live' },
  { operationId: 'getReadiness', method: 'GET', url: '/health/ready' },
  { operationId: 'getDocument', method: 'GET', url: '/v1/openapi.json' },
] as const
