/**
 * What a client of the service offers, written from the interface alone. Each generated client is adapted to it, so
 * that a client generated with other types does not compile.
 */

type PetStatus = 'available' | 'pending' | 'sold'
type OrderStatus = 'pending' | 'shipped' | 'delivered' | 'cancelled' | 'expired'
type NewPet = { name: string; categoryId: number; status?: PetStatus }
export type Pet = NewPet & { id: number }
type NewCategory = { name: string; description?: string }
type Category = NewCategory & { id: number }
type NewOrder = { petId: number; quantity?: number; reference?: string }
export type Order = {
  id: number
  petId: number
  quantity: number
  status: OrderStatus
  complete: boolean
  createdAt: string
  shipDate?: string
  expiresAt?: string
  reference?: string
}
type PetChange = { id: number } & ({ update: Partial<NewPet> } | { delete: true })
type PetResult = { id: number; status: number; pet?: Pet; error?: { code: string } }
type ImportReport = { rows: number; created: number; updated: number; refused: number }
type InventoryItem = { petId: number; quantity: number; status: PetStatus }
type EventOf<Type extends string, Data> = {
  id: number
  type: Type
  createdAt: string
  data: Data
  actor: { type: 'key' | 'job' | 'command'; name: string; keyId?: number }
  requestId?: string
}
/** The type of an event tells what its data is. */
type Event =
  | EventOf<'pet.created' | 'pet.updated' | 'pet.deleted', Pet>
  | EventOf<`category.${'created' | 'updated' | 'deleted'}`, Category>
  | EventOf<'order.placed' | 'order.cancelled' | 'order.expired', Order>
  | (EventOf<'order.shipped' | 'order.delivered', Order> & { previous?: { status?: OrderStatus } })
  | EventOf<'inventory.updated', InventoryItem>
  | EventOf<`key.${string}` | `webhook.${string}`, { id: number }>
export type ErrorBody = { code: string; message: string; status: number }

/** `data` when the request succeeded, `error` when it did not; neither when the response has no body. */
export type Reply<Data> = { status: number; data?: Data; error?: ErrorBody; headers: Headers }
type Answer<Data> = Promise<Reply<Data>>

type Page = { limit?: number; cursor?: string; after?: number; sort?: 'id' | '-id' }
type Header<Name extends string> = { [name in Name]?: string }
type PetPath = { path: { petId: number } }
type CategoryPath = { path: { categoryId: number } }
type OrderPath = { path: { orderId: number } }
type Conditional = { header?: Header<'If-Match'> }
type Cached = { header?: Header<'If-None-Match'> }
/** The whole file, as CSV. */
type Export = () => Answer<string>
type Idempotent = { header?: Header<'Idempotency-Key'> }

/** Every operation of the document by its operationId. */
export type Client = {
  getLiveness(): Answer<unknown>
  getReadiness(): Answer<unknown>
  getDocument(): Answer<unknown>
  getWorkflows(): Answer<unknown>
  listPets(call: {
    query?: Page & { status?: PetStatus; categoryId?: number; id?: number[]; name?: string }
    header?: Header<'If-None-Match' | 'Prefer'>
  }): Answer<Pet[]>
  createPet(call: { body: NewPet } & Idempotent): Answer<Pet>
  getPet(call: PetPath & Cached): Answer<Pet>
  updatePet(call: PetPath & { body: Partial<NewPet> } & Conditional): Answer<Pet>
  deletePet(call: PetPath & Conditional): Answer<unknown>
  batchPets(call: { body: { changes: PetChange[] } }): Answer<{ results: PetResult[] }>
  /** Takes CSV. */
  importPets(call: { body: string; query: { onError: 'skip' } } & Idempotent): Answer<ImportReport>
  getImport(call: { query: { idempotencyKey: string } }): Answer<ImportReport>
  exportPets: Export
  exportOrders: Export
  exportInventory: Export
  listCategories(call: { query?: Page & { id?: number[]; name?: string } }): Answer<Category[]>
  createCategory(call: { body: NewCategory } & Idempotent): Answer<Category>
  getCategory(call: CategoryPath & Cached): Answer<Category>
  updateCategory(
    call: CategoryPath & Conditional & { body: { name?: string; description?: string | null } },
  ): Answer<Category>
  deleteCategory(call: CategoryPath & Conditional): Answer<unknown>
  listOrders(call: {
    query?: Page & { status?: OrderStatus; petId?: number; id?: number[]; reference?: string }
  }): Answer<Order[]>
  createOrder(call: { body: NewOrder } & Idempotent): Answer<Order>
  getOrder(call: OrderPath): Answer<Order>
  cancelOrder(call: OrderPath): Answer<unknown>
  shipOrder(call: OrderPath & Idempotent): Answer<Order>
  deliverOrder(call: OrderPath & Idempotent): Answer<Order>
  listInventory(call: {
    query?: Page & { status?: PetStatus; petId?: number[] }
  }): Answer<InventoryItem[]>
  getInventory(call: PetPath & Cached): Answer<InventoryItem>
  updateInventory(
    call: PetPath & Conditional & { body: { quantity: number } },
  ): Answer<InventoryItem>
  listEvents(call: {
    query?: Page & { type?: 'pet.created'[]; petId?: number; orderId?: number }
  }): Answer<Event[]>
  getEvent(call: { path: { eventId: number } }): Answer<Event>
}

/** Everything that a call of any operation may pass. */
export type AnyCall = {
  path?: Record<string, number>
  query?: Record<string, number | number[] | string | string[]>
  header?: Record<string, string>
  body?: unknown
}
