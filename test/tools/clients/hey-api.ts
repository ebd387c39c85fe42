import { runScenario } from '../scenario/scenario.ts'
import type { Client, ErrorBody, Reply } from '../scenario/shapes.ts'
import { createClient as createHttpClient } from './generated/client/index.ts'
import { client as namedByDocument } from './generated/client.gen.ts'
import * as api from './generated/sdk.gen.ts'

await runScenario({ createClient, refusesBadBodies: true, int64: 'rounded' })

/** Uses the first server that the document names. */
function createClient(key: string): Client {
  const { baseUrl = '' } = namedByDocument.getConfig()
  const client = createHttpClient({ baseUrl, auth: key })
  return {
    getLiveness: async () => reply(await api.getLiveness({ client })),
    getReadiness: async () => reply(await api.getReadiness({ client })),
    getDocument: async () => reply(await api.getDocument({ client })),
    getWorkflows: async () => reply(await api.getWorkflows({ client })),
    listPets: async ({ header, query }) =>
      reply(await api.listPets({ client, headers: header, query })),
    createPet: async ({ header, body }) =>
      reply(await api.createPet({ client, headers: header, body })),
    getPet: async ({ header, path }) => reply(await api.getPet({ client, headers: header, path })),
    updatePet: async ({ header, path, body }) =>
      reply(await api.updatePet({ client, headers: header, path, body })),
    deletePet: async ({ header, path }) =>
      reply(await api.deletePet({ client, headers: header, path })),
    batchPets: async (call) => reply(await api.batchPets({ client, ...call })),
    importPets: async ({ header, body, query }) =>
      reply(await api.importPets({ client, headers: header, body, query })),
    getImport: async (call) => reply(await api.getImport({ client, ...call })),
    exportPets: async () => reply(await api.exportPets({ client })),
    exportOrders: async () => reply(await api.exportOrders({ client })),
    exportInventory: async () => reply(await api.exportInventory({ client })),
    listCategories: async (call) => reply(await api.listCategories({ client, ...call })),
    createCategory: async ({ header, body }) =>
      reply(await api.createCategory({ client, headers: header, body })),
    getCategory: async ({ header, path }) =>
      reply(await api.getCategory({ client, headers: header, path })),
    updateCategory: async ({ header, path, body }) =>
      reply(await api.updateCategory({ client, headers: header, path, body })),
    deleteCategory: async ({ header, path }) =>
      reply(await api.deleteCategory({ client, headers: header, path })),
    listOrders: async (call) => reply(await api.listOrders({ client, ...call })),
    createOrder: async ({ header, body }) =>
      reply(await api.createOrder({ client, headers: header, body })),
    getOrder: async (call) => reply(await api.getOrder({ client, ...call })),
    cancelOrder: async (call) => reply(await api.cancelOrder({ client, ...call })),
    shipOrder: async ({ header, path }) =>
      reply(await api.shipOrder({ client, headers: header, path })),
    deliverOrder: async ({ header, path }) =>
      reply(await api.deliverOrder({ client, headers: header, path })),
    listInventory: async (call) => reply(await api.listInventory({ client, ...call })),
    getInventory: async ({ header, path }) =>
      reply(await api.getInventory({ client, headers: header, path })),
    listEvents: async (call) => reply(await api.listEvents({ client, ...call })),
    getEvent: async (call) => reply(await api.getEvent({ client, ...call })),
    updateInventory: async ({ header, path, body }) =>
      reply(await api.updateInventory({ client, headers: header, path, body })),
  }
}

/** An error without a response comes from a check, before or after the request. */
function reply<Data>(result: {
  data: Data | undefined
  error: unknown
  response?: Response
}): Reply<Data> {
  const { data, error, response } = result
  if (response === undefined) throw error
  const { status, headers, ok: isSuccess } = response
  if (status >= 400) return { status, headers, error: error as ErrorBody }
  if (isSuccess && error !== undefined) throw error
  return { status, headers, ...(data !== undefined && { data }) }
}
