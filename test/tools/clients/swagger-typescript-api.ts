import { runScenario } from '../scenario/scenario.ts'
import type { Client, ErrorBody, Reply } from '../scenario/shapes.ts'
import { Api, type HttpResponse } from './generated/client.ts'

/** Without a format it reads no body where a success has none, so errors have none either. */
const withErrors = { format: 'json' } as const

const asText = { format: 'text' } as const

await runScenario({ createClient, refusesBadBodies: false, int64: 'rounded' })

/** Uses the first server that the document names. */
function createClient(key: string): Client {
  const api = new Api<string>({
    customFetch: (url, init) => fetch(url, withType(init)),
    securityWorker: () => ({ headers: { Authorization: `Bearer ${key}` } }),
  })
  api.setSecurityData(key)
  const { pets, categories, store, inventory, events, health, openapiJson, arazzoJson } = api
  const headers = (header?: Record<string, string | undefined>) => ({
    headers: header as Record<string, string>,
  })
  return {
    getLiveness: () => reply(health.getLiveness()),
    getReadiness: () => reply(health.getReadiness()),
    getDocument: () => reply(openapiJson.getDocument()),
    getWorkflows: () => reply(arazzoJson.getWorkflows()),
    listPets: ({ query, header }) => reply(pets.listPets(query, headers(header))),
    createPet: ({ body, header }) => reply(pets.createPet(body, headers(header))),
    getPet: ({ path, header }) => reply(pets.getPet(path.petId, headers(header))),
    updatePet: ({ path, body, header }) => reply(pets.updatePet(path.petId, body, headers(header))),
    deletePet: ({ path, header }) =>
      reply(pets.deletePet(path.petId, { ...headers(header), ...withErrors })),
    batchPets: ({ body }) => reply(pets.batchPets(body)),
    importPets: ({ body, query, header }) => reply(pets.importPets(body, query, headers(header))),
    getImport: ({ query }) => reply(pets.getImport(query)),
    exportPets: () => reply(pets.exportPets({}, asText)),
    exportOrders: () => reply(store.exportOrders({}, asText)),
    exportInventory: () => reply(inventory.exportInventory({}, asText)),
    listCategories: ({ query }) => reply(categories.listCategories(query)),
    createCategory: ({ body, header }) => reply(categories.createCategory(body, headers(header))),
    getCategory: ({ path, header }) =>
      reply(categories.getCategory(path.categoryId, headers(header))),
    updateCategory: ({ path, body, header }) =>
      reply(categories.updateCategory(path.categoryId, body, headers(header))),
    deleteCategory: ({ path, header }) =>
      reply(categories.deleteCategory(path.categoryId, { ...headers(header), ...withErrors })),
    listOrders: ({ query }) => reply(store.listOrders(query)),
    createOrder: ({ body, header }) => reply(store.createOrder(body, headers(header))),
    getOrder: ({ path }) => reply(store.getOrder(path.orderId)),
    cancelOrder: ({ path }) => reply(store.cancelOrder(path.orderId, withErrors)),
    shipOrder: ({ path, header }) => reply(store.shipOrder(path.orderId, headers(header))),
    deliverOrder: ({ path, header }) => reply(store.deliverOrder(path.orderId, headers(header))),
    listInventory: ({ query }) => reply(inventory.listInventory(query)),
    getInventory: ({ path, header }) => reply(inventory.getInventory(path.petId, headers(header))),
    listEvents: ({ query }) => reply(events.listEvents(query)),
    getEvent: ({ path }) => reply(events.getEvent(path.eventId)),
    updateInventory: ({ path, body, header }) =>
      reply(inventory.updateInventory(path.petId, body, headers(header))),
  }
}

/** It sends every text as `text/plain`. */
function withType(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers)
  if (headers.get('content-type') === 'text/plain') headers.set('content-type', 'text/csv')
  return { ...init, headers }
}

/** Every status but a success is thrown, 304 too. */
async function reply<Data>(sent: Promise<HttpResponse<Data, unknown>>): Promise<Reply<Data>> {
  const { status, headers, data, error } = await sent.catch((thrown: unknown) => {
    if (thrown instanceof Response) return thrown as HttpResponse<Data, unknown>
    throw thrown
  })
  if (status >= 400) return { status, headers, error: error as ErrorBody }
  return { status, headers, ...(data !== null && { data }) }
}
