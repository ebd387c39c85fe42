import createFetchClient from 'openapi-fetch'
import { runScenario } from '../scenario/scenario.ts'
import type { Client, ErrorBody, Reply } from '../scenario/shapes.ts'
import type { paths } from './generated/openapi.ts'

/** Otherwise a text is sent as a string of JSON. */
const ofCsv = {
  headers: { 'content-type': 'text/csv' },
  bodySerializer: (body: unknown) => body as string,
}

await runScenario({ createClient, refusesBadBodies: false, int64: 'rounded' })

function createClient(key: string, baseUrl: string): Client {
  const headers = { Authorization: `Bearer ${key}` }
  const api = createFetchClient<paths, 'application/json'>({ baseUrl, headers })
  return {
    getLiveness: async () => reply(await api.GET('/health/live')),
    getReadiness: async () => reply(await api.GET('/health/ready')),
    getDocument: async () => reply(await api.GET('/openapi.json')),
    getWorkflows: async () => reply(await api.GET('/arazzo.json')),
    listPets: async (call) => reply(await api.GET('/pets', { params: call })),
    createPet: async ({ body, ...params }) => reply(await api.POST('/pets', { body, params })),
    getPet: async (call) => reply(await api.GET('/pets/{petId}', { params: call })),
    updatePet: async ({ body, ...params }) =>
      reply(await api.PATCH('/pets/{petId}', { body, params })),
    deletePet: async (call) => reply(await api.DELETE('/pets/{petId}', { params: call })),
    batchPets: async (call) => reply(await api.POST('/pets/batch', call)),
    importPets: async ({ body, ...params }) =>
      reply(await api.POST('/pets/import', { body, params, ...ofCsv })),
    getImport: async (call) => reply(await api.GET('/pets/import', { params: call })),
    exportPets: async () => reply(await api.GET('/pets/export', { parseAs: 'text' })),
    exportOrders: async () => reply(await api.GET('/store/orders/export', { parseAs: 'text' })),
    exportInventory: async () => reply(await api.GET('/inventory/export', { parseAs: 'text' })),
    listCategories: async (call) => reply(await api.GET('/categories', { params: call })),
    createCategory: async ({ body, ...params }) =>
      reply(await api.POST('/categories', { body, params })),
    getCategory: async (call) => reply(await api.GET('/categories/{categoryId}', { params: call })),
    updateCategory: async ({ body, ...params }) =>
      reply(await api.PATCH('/categories/{categoryId}', { body, params })),
    deleteCategory: async (call) =>
      reply(await api.DELETE('/categories/{categoryId}', { params: call })),
    listOrders: async (call) => reply(await api.GET('/store/orders', { params: call })),
    createOrder: async ({ body, ...params }) =>
      reply(await api.POST('/store/orders', { body, params })),
    getOrder: async (call) => reply(await api.GET('/store/orders/{orderId}', { params: call })),
    cancelOrder: async (call) =>
      reply(await api.DELETE('/store/orders/{orderId}', { params: call })),
    shipOrder: async (call) =>
      reply(await api.POST('/store/orders/{orderId}/ship', { params: call })),
    deliverOrder: async (call) =>
      reply(await api.POST('/store/orders/{orderId}/deliver', { params: call })),
    listInventory: async (call) => reply(await api.GET('/inventory', { params: call })),
    getInventory: async (call) => reply(await api.GET('/inventory/{petId}', { params: call })),
    listEvents: async (call) => reply(await api.GET('/events', { params: call })),
    getEvent: async (call) => reply(await api.GET('/events/{eventId}', { params: call })),
    updateInventory: async ({ body, ...params }) =>
      reply(await api.PATCH('/inventory/{petId}', { body, params })),
  }
}

function reply<Data>(result: { data?: Data; error?: ErrorBody; response: Response }): Reply<Data> {
  const { data, error, response } = result
  return {
    status: response.status,
    headers: response.headers,
    ...(data !== undefined && { data }),
    ...(error !== undefined && error && { error }),
  }
}
