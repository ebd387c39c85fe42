import type { Context } from '../context/context.ts'
import { type Problem, ServiceError } from '../contract/service-error.ts'
import type * as Type from '../contract/type.ts'
import { createCategoryOperation, type NewCategory } from '../features/categories/contract.ts'
import { createCategory } from '../features/categories/create-category.ts'
import { createPetOperation, type NewPet } from '../features/pets/contract.ts'
import { createPet } from '../features/pets/create-pet.ts'
import { cancelOrder } from '../features/sales/cancel-order.ts'
import {
  type InventoryChange,
  updateInventoryOperation,
} from '../features/sales/contract/inventory.ts'
import { createOrderOperation, type NewOrder } from '../features/sales/contract/orders.ts'
import { createOrder } from '../features/sales/create-order.ts'
import { deliverOrder } from '../features/sales/deliver-order.ts'
import { shipOrder } from '../features/sales/ship-order.ts'
import { updateInventory } from '../features/sales/update-inventory.ts'
import { findUnknownMembers } from '../http/request/body.ts'
import { aboutBody } from '../http/request/describe-failure.ts'
import { compileCheck } from '../http/request/schema.ts'
import { asPointer, describeUnknown, withoutDoubleStops } from '../http/request/unknown-names.ts'

/** Contents for a store. Pets name their category, and orders their pet. Ids are assigned in the order of the lists. */
export type Fixture = { categories: Entry[]; pets: Entry[]; orders: Entry[] }

type Entry = Record<string, unknown>

/** A refusal lists no more problems. */
const problemsMax = 100

const lists = ['categories', 'pets', 'orders'] as const

/** The moves from a new order to each status. */
const moves = {
  pending: [],
  shipped: [shipOrder],
  delivered: [shipOrder, deliverOrder],
  cancelled: [cancelOrder],
} as const

type Ids = Map<unknown, bigint>

/** Checks the shape of a fixture. Throws `invalid_body` with all problems. */
export function readFixture(value: unknown): Fixture {
  const problems: Problem[] = []
  const source = (isObject(value) ? value : {}) as Record<string, unknown>
  if (!isObject(value)) problems.push({ pointer: '', detail: 'must be a JSON object' })
  for (const name of findUnknownMembers(source, new Set(lists))) {
    problems.push({ pointer: asPointer(name), detail: `is none of ${lists.join(', ')}` })
  }
  const [categories = [], pets = [], orders = []] = lists.map((name) =>
    entriesOf(source[name] ?? [], `/${name}`, problems),
  )
  refuse(problems)
  return { categories, pets, orders }
}

function entriesOf(value: unknown, pointer: string, problems: Problem[]): Entry[] {
  if (!Array.isArray(value)) {
    problems.push({ pointer, detail: 'must be an array of objects' })
    return []
  }
  for (const [index, entry] of value.entries()) {
    if (problems.length >= problemsMax) break
    if (!isObject(entry))
      problems.push({ pointer: `${pointer}/${index}`, detail: 'must be a JSON object' })
  }
  return value
}

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Adds the contents of a fixture with the checks and refusals of requests; messages start with the position in the
 * fixture. Throws `invalid_body`.
 */
export async function loadFixture(context: Context, fixture: Fixture): Promise<void> {
  const categoryIds: Ids = new Map()
  const petIds: Ids = new Map()
  for (const [index, entry] of fixture.categories.entries()) {
    await at(`/categories/${index}`, async (pointer) => {
      const category = checked<NewCategory>(createCategoryOperation.body, entry, pointer)
      categoryIds.set(category.name, (await createCategory(context, category)).id)
    })
  }
  for (const [index, entry] of fixture.pets.entries()) {
    await at(`/pets/${index}`, (pointer) =>
      addPet(context, entry, { pointer, categoryIds, petIds }),
    )
  }
  for (const [index, entry] of fixture.orders.entries()) {
    await at(`/orders/${index}`, (pointer) => addOrder(context, entry, { pointer, petIds }))
  }
}

type PetScope = { pointer: string; categoryIds: Ids; petIds: Ids }

async function addPet(context: Context, entry: Entry, { pointer, categoryIds, petIds }: PetScope) {
  const { category, quantity, ...rest } = entry
  const categoryId = category === undefined ? (rest.categoryId ?? 1) : categoryIds.get(category)
  if (categoryId === undefined)
    throw invalid(`${pointer}/category`, 'must be the name of a category of this fixture')
  const pet = await createPet(
    context,
    checked<NewPet>(createPetOperation.body, { ...rest, categoryId }, pointer, [
      'category',
      'quantity',
    ]),
  )
  petIds.set(pet.name, pet.id)
  if (quantity === undefined) return
  const body = checked<InventoryChange>(updateInventoryOperation.body, { quantity }, pointer)
  await updateInventory(context, { id: pet.id, body })
}

type OrderScope = { pointer: string; petIds: Ids }

async function addOrder(context: Context, entry: Entry, { pointer, petIds }: OrderScope) {
  const { pet, status = 'pending', ...rest } = entry
  const petId = pet === undefined ? rest.petId : petIds.get(pet)
  if (pet !== undefined && petId === undefined)
    throw invalid(`${pointer}/pet`, 'must be the name of a pet of this fixture')
  if (typeof status !== 'string' || !Object.hasOwn(moves, status))
    throw invalid(`${pointer}/status`, `must be one of ${Object.keys(moves).join(', ')}`)
  const order = await createOrder(
    context,
    checked<NewOrder>(createOrderOperation.body, { ...rest, petId }, pointer, ['pet', 'status']),
  )
  for (const move of moves[status as keyof typeof moves]) await move(context, order.id)
}

/** Adds one entry; a refusal becomes `invalid_body` with the position of the entry. */
async function at(pointer: string, step: (pointer: string) => Promise<unknown>): Promise<void> {
  try {
    await step(pointer)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    if (error instanceof ServiceError && error.problems.length > 0) throw error
    if (typeof code !== 'string') throw error
    throw invalid(pointer, message.replace(/\.$/, ''), error)
  }
}

const checks = new Map<Type.TSchema, (value: unknown) => Problem[]>()

/**
 * The entry, with `bigint`s where the schema has int64. `further`: what a fixture has beyond the schema. Throws
 * `invalid_body`.
 */
function checked<T>(
  schema: Type.TSchema,
  entry: Entry,
  pointer: string,
  further: readonly string[] = [],
): T {
  const check = checks.get(schema) ?? compileCheck(schema, aboutBody)
  checks.set(schema, check)
  const known = [...Object.keys((schema as Type.TObject).properties), ...further]
  const unknown = findUnknownMembers(entry, new Set(known)).map((name) => ({
    pointer: asPointer(name),
    detail: describeUnknown(name, { kind: 'member', of: 'this entry', known }),
  }))
  const problems = [...check(entry), ...unknown]
  refuse(problems.map((problem) => ({ ...problem, pointer: `${pointer}${problem.pointer}` })))
  return entry as T
}

function invalid(pointer: string, detail: string, cause?: unknown): ServiceError {
  const problems = [{ pointer, detail }]
  return new ServiceError('invalid_body', sentenceOf(problems), { problems, cause })
}

function refuse(problems: readonly Problem[]) {
  if (problems.length === 0) return
  throw new ServiceError('invalid_body', sentenceOf(problems), { problems })
}

function sentenceOf(problems: readonly Problem[]): string {
  const reasons = problems.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`).join('; ')
  return withoutDoubleStops(`The fixture cannot be loaded: ${reasons}.`)
}
