/** The smallest model of the store's behaviour: `docs/guides/selling-a-pet.md` in code. */

export type Status = 'available' | 'pending' | 'sold'
export type Move = 'ship' | 'deliver' | 'cancel'

type ModelPet = { stated: Status | undefined; onHand: number; isGone: boolean }
type ModelOrder = {
  pet: number
  quantity: number
  reference: string | undefined
  status: string
  due: number
}
type ModelCategory = { name: string; isGone: boolean }

/** Ids start at 1, as in the service. */
export type StoreModel = {
  pets: ModelPet[]
  orders: ModelOrder[]
  categories: ModelCategory[]
  nowMs: number
}

const isOpen = ({ status }: ModelOrder): boolean => status === 'pending' || status === 'shipped'

function reservedOf({ orders }: StoreModel, pet: number): number {
  const held = orders.filter((order) => order.pet === pet && isOpen(order))
  return held.reduce((sum, { quantity }) => sum + quantity, 0)
}

export function statusOf(model: StoreModel, pet: number): Status | undefined {
  const { stated, onHand } = model.pets[pet - 1] as ModelPet
  if (stated !== 'available') return stated
  const reserved = reservedOf(model, pet)
  return onHand > reserved ? 'available' : reserved > 0 ? 'pending' : 'sold'
}

/** Time makes due orders expire. */
export function pass(model: StoreModel, ms: number): void {
  model.nowMs += ms
  for (const order of model.orders) {
    if (order.status === 'pending' && order.due <= model.nowMs) order.status = 'expired'
  }
}

/** Each returns the status and code of the response, and makes the change unless it is refused. */
export const store = {
  order(
    model: StoreModel,
    { pet, quantity, reference }: Pick<ModelOrder, 'pet' | 'quantity' | 'reference'>,
    holdMs: number,
  ): string {
    const found = model.pets[pet - 1]
    if (!found || found.isGone) return '404 not_found'
    if (statusOf(model, pet) !== 'available') return '409 pet_not_available'
    if (found.onHand - reservedOf(model, pet) < quantity) return '409 insufficient_stock'
    const due = model.nowMs + holdMs
    model.orders.push({ pet, quantity, reference, status: 'pending', due })
    return '201'
  },

  move({ orders, pets }: StoreModel, id: number, move: Move): string {
    const order = orders[id - 1]
    if (!order) return '404 not_found'
    const from = move === 'deliver' ? 'shipped' : 'pending'
    if (order.status !== from)
      return move === 'cancel' ? '409 order_not_cancellable' : '409 invalid_transition'
    order.status = { ship: 'shipped', deliver: 'delivered', cancel: 'cancelled' }[move]
    if (move === 'deliver') (pets[order.pet - 1] as ModelPet).onHand -= order.quantity
    return move === 'cancel' ? '204' : '200'
  },

  state(model: StoreModel, pet: number, status: Status): string {
    const found = model.pets[pet - 1]
    if (!found || found.isGone) return '404 not_found'
    const current = statusOf(model, pet)
    if (status === current) {
      if (reservedOf(model, pet) === 0) found.stated = status
      return '200'
    }
    if (reservedOf(model, pet) > 0) return '409 pet_in_open_order'
    if (current === 'sold' && status === 'pending') return '409 invalid_transition'
    found.stated = status
    if (status === 'available') found.onHand = Math.max(1, found.onHand)
    if (status === 'sold') found.onHand = 0
    return '200'
  },

  count(model: StoreModel, pet: number, quantity: number): string {
    const found = model.pets[pet - 1]
    if (!found || found.isGone || found.stated === undefined) return '404 not_found'
    if (quantity < reservedOf(model, pet)) return '409 insufficient_stock'
    found.onHand = quantity
    return '200'
  },

  remove(model: StoreModel, pet: number): string {
    const found = model.pets[pet - 1]
    if (!found || found.isGone) return '404 not_found'
    if (reservedOf(model, pet) > 0) return '409 pet_in_open_order'
    found.isGone = true
    return '204'
  },

  createCategory({ categories }: StoreModel, name: string): string {
    if (hasName(categories, name)) return '409 category_exists'
    categories.push({ name, isGone: false })
    return '201'
  },

  renameCategory({ categories }: StoreModel, id: number, name: string): string {
    const found = categories[id - 1]
    if (!found || found.isGone) return '404 not_found'
    if (hasName(categories.toSpliced(id - 1, 1), name)) return '409 category_exists'
    found.name = name
    return '200'
  },

  removeCategory({ categories }: StoreModel, id: number): string {
    const found = categories[id - 1]
    if (!found || found.isGone) return '404 not_found'
    found.isGone = true
    return '204'
  },
}

function hasName(categories: readonly ModelCategory[], name: string): boolean {
  return categories.some((one) => !one.isGone && one.name.toLowerCase() === name.toLowerCase())
}

/** What can be read without listing everything; a refusal as its status and code. */
export const lookUp = {
  stock(model: StoreModel, pet: number): string {
    const found = model.pets[pet - 1]
    if (!found || found.isGone || found.stated === undefined) return '404 not_found'
    return `${found.onHand} ${statusOf(model, pet)}`
  },

  /** The ids of the orders with one of these ids and this reference. */
  orders({ orders }: StoreModel, ids: readonly number[], reference: string): string {
    return ids.filter((id) => orders[id - 1]?.reference === reference).join(' ')
  },
}
