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
  const to = <Call extends { header?: object }>({ header, ...call }: Call) => ({
    ...{ client, headers: header as Call['header'] },
    ...call,
  })
  return {
    getLiveness: async () => reply(await api.getLiveness({ client })),
    getReadiness: async () => reply(await api.getReadiness({ client })),
    getDocument: async () => reply(await api.getDocument({ client })),
    getWorkflows: async () => reply(await api.getWorkflows({ client })),
    listPets: async (call) => reply(await api.listPets(to(call))),
    createPet: async (call) => reply(await api.createPet(to(call))),
    getPet: async (call) => reply(await api.getPet(to(call))),
    updatePet: async (call) => reply(await api.updatePet(to(call))),
    deletePet: async (call) => reply(await api.deletePet(to(call))),
    batchPets: async (call) => reply(await api.batchPets({ client, ...call })),
    importPets: async (call) => reply(await api.importPets(to(call))),
    getImport: async (call) => reply(await api.getImport({ client, ...call })),
    exportPets: async () => reply(await api.exportPets({ client })),
    exportOrders: async () => reply(await api.exportOrders({ client })),
    exportInventory: async () => reply(await api.exportInventory({ client })),
    listCategories: async (call) => reply(await api.listCategories({ client, ...call })),
    createCategory: async (call) => reply(await api.createCategory(to(call))),
    getCategory: async (call) => reply(await api.getCategory(to(call))),
    updateCategory: async (call) => reply(await api.updateCategory(to(call))),
    deleteCategory: async (call) => reply(await api.deleteCategory(to(call))),
    listOrders: async (call) => reply(await api.listOrders({ client, ...call })),
    createOrder: async (call) => reply(await api.createOrder(to(call))),
    getOrder: async (call) => reply(await api.getOrder({ client, ...call })),
    cancelOrder: async (call) => reply(await api.cancelOrder({ client, ...call })),
    shipOrder: async (call) => reply(await api.shipOrder(to(call))),
    deliverOrder: async (call) => reply(await api.deliverOrder(to(call))),
    listInventory: async (call) => reply(await api.listInventory({ client, ...call })),
    getInventory: async (call) => reply(await api.getInventory(to(call))),
    listEvents: async (call) => reply(await api.listEvents({ client, ...call })),
    getEvent: async (call) => reply(await api.getEvent({ client, ...call })),
    updateInventory: async (call) => reply(await api.updateInventory(to(call))),
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
