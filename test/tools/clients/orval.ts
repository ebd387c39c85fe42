import { runScenario } from '../scenario/scenario.ts'
import type { Client, ErrorBody, Reply } from '../scenario/shapes.ts'
import * as api from './generated/client.ts'
import * as zod from './generated/zod.ts'

await runScenario({ createClient, refusesBadBodies: true, int64: 'refused' })

type Schema = { parse(value: unknown): unknown }

/** Uses the first server that the document names. Each body is parsed with its zod schema before it is sent or used. */
function createClient(key: string): Client {
  const init = (header?: Record<string, string | undefined>) => ({
    headers: { Authorization: `Bearer ${key}`, ...(header as Record<string, string>) },
  })
  return {
    getLiveness: async () => reply(await api.getLiveness(), zod.GetLivenessResponse),
    getReadiness: async () => reply(await api.getReadiness(), zod.GetReadinessResponse),
    getDocument: async () => reply(await api.getDocument(), zod.GetDocumentResponse),
    getWorkflows: async () => reply(await api.getWorkflows(), zod.GetWorkflowsResponse),
    listPets: async ({ query, header }) =>
      reply(await api.listPets(query, init(header)), zod.ListPetsResponse),
    createPet: async ({ body, header }) =>
      reply(
        await api.createPet(checked(body, zod.CreatePetBody), init(header)),
        zod.CreatePetResponse,
      ),
    getPet: async ({ path, header }) =>
      reply(await api.getPet(path.petId, init(header)), zod.GetPetResponse),
    updatePet: async ({ path, body, header }) =>
      reply(
        await api.updatePet(path.petId, checked(body, zod.UpdatePetBody), init(header)),
        zod.UpdatePetResponse,
      ),
    deletePet: async ({ path, header }) => reply(await api.deletePet(path.petId, init(header))),
    batchPets: async ({ body }) =>
      reply(await api.batchPets(checked(body, zod.BatchPetsBody), init()), zod.BatchPetsResponse),
    // It gives the function no argument for the file.
    importPets: async ({ body, query, header }) =>
      reply(
        await api.importPets(query, { ...init({ ...header, 'content-type': 'text/csv' }), body }),
        zod.ImportPetsResponse,
      ),
    getImport: async ({ query }) =>
      reply(await api.getImport(query, init()), zod.GetImportResponse),
    exportPets: async () => fileOf(await api.exportPets({}, init())),
    exportOrders: async () => fileOf(await api.exportOrders({}, init())),
    exportInventory: async () => fileOf(await api.exportInventory({}, init())),
    listCategories: async ({ query }) =>
      reply(await api.listCategories(query, init()), zod.ListCategoriesResponse),
    createCategory: async ({ body, header }) =>
      reply(
        await api.createCategory(checked(body, zod.CreateCategoryBody), init(header)),
        zod.CreateCategoryResponse,
      ),
    getCategory: async ({ path, header }) =>
      reply(await api.getCategory(path.categoryId, init(header)), zod.GetCategoryResponse),
    updateCategory: async ({ path, body, header }) =>
      reply(
        await api.updateCategory(
          path.categoryId,
          checked(body, zod.UpdateCategoryBody),
          init(header),
        ),
        zod.UpdateCategoryResponse,
      ),
    deleteCategory: async ({ path, header }) =>
      reply(await api.deleteCategory(path.categoryId, init(header))),
    listOrders: async ({ query }) =>
      reply(await api.listOrders(query, init()), zod.ListOrdersResponse),
    createOrder: async ({ body, header }) =>
      reply(
        await api.createOrder(checked(body, zod.CreateOrderBody), init(header)),
        zod.CreateOrderResponse,
      ),
    getOrder: async ({ path }) =>
      reply(await api.getOrder(path.orderId, init()), zod.GetOrderResponse),
    cancelOrder: async ({ path }) => reply(await api.cancelOrder(path.orderId, init())),
    shipOrder: async ({ path, header }) =>
      reply(await api.shipOrder(path.orderId, init(header)), zod.ShipOrderResponse),
    deliverOrder: async ({ path, header }) =>
      reply(await api.deliverOrder(path.orderId, init(header)), zod.DeliverOrderResponse),
    listInventory: async ({ query }) =>
      reply(await api.listInventory(query, init()), zod.ListInventoryResponse),
    getInventory: async ({ path, header }) =>
      reply(await api.getInventory(path.petId, init(header)), zod.GetInventoryResponse),
    listEvents: async ({ query }) =>
      reply(await api.listEvents(query, init()), zod.ListEventsResponse),
    getEvent: async ({ path }) =>
      reply(await api.getEvent(path.eventId, init()), zod.GetEventResponse),
    updateInventory: async ({ path, body, header }) =>
      reply(
        await api.updateInventory(path.petId, checked(body, zod.UpdateInventoryBody), init(header)),
        zod.UpdateInventoryResponse,
      ),
  }
}

function checked<Value>(value: Value, schema: Schema): Value {
  schema.parse(value)
  return value
}

type Result = { status: number; data: unknown; headers: Headers }
/** The type of a list that is also served as a stream has both bodies. */
type Success<Any> =
  Extract<Any, { status: 200 | 201 }> extends { data: infer Data } ? Exclude<Data, string> : unknown

function reply<Any extends Result>(result: Any, schema?: Schema): Reply<Success<Any>> {
  const { status, headers, data } = result
  if (status >= 400) return { status, headers, error: data as ErrorBody }
  if (schema === undefined || status === 304) return { status, headers }
  return { status, headers, data: checked(data as Success<Any>, schema) }
}

/** Its types say that CSV is in `data`; what comes is the response itself. */
async function fileOf(result: object): Promise<Reply<string>> {
  const { stream } = result as { stream: Response }
  const { status, headers } = stream
  return { status, headers, data: await stream.text() }
}
