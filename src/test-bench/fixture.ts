import type { Context, ServiceContext } from '../context/context.ts'
import { describeProblems, type Problem } from '../contract/problem.ts'
import { ServiceError } from '../contract/service-error.ts'
import * as Type from '../contract/type.ts'
import { createCategoryOperation, type NewCategory } from '../features/categories/contract.ts'
import { categoryWrites } from '../features/categories/queries.ts'
import { createPetOperation, type NewPet } from '../features/pets/contract.ts'
import { createPet } from '../features/pets/create-pet.ts'
import { storePhoto } from '../features/photos/store-photo.ts'
import {
  type InventoryChange,
  updateInventoryOperation,
} from '../features/sales/contract/inventory.ts'
import { createOrderOperation, type NewOrder } from '../features/sales/contract/orders.ts'
import { createOrder } from '../features/sales/create-order.ts'
import { cancelOrder, deliverOrder, shipOrder } from '../features/sales/move-order.ts'
import { updateInventory } from '../features/sales/update-inventory.ts'
import { findUnknownMembers } from '../http/request/body.ts'
import { aboutBody } from '../http/request/describe-failure.ts'
import { unknownProblems } from '../http/request/problems.ts'
import { compileCheck } from '../http/request/schema.ts'

type Entry = Record<string, unknown>

const entriesMax = 100_000
const entries = Type.Optional(
  Type.Array(Type.Unsafe<Entry>({ type: 'object', allowed: 'a JSON object' }), {
    maxItems: entriesMax,
    allowed: `an array of at most ${entriesMax} objects`,
  }),
)
const Fixture = Type.Object(
  { categories: entries, pets: entries, orders: entries },
  { $id: 'the fixture', allowed: 'a JSON object' },
)

/** Contents for a store. Pets name their category, and orders their pet. Ids are assigned in the order of the lists. */
export type Fixture = Required<Type.Static<typeof Fixture>>

/** The moves from a new order to each status. */
const moves = {
  pending: [],
  shipped: [shipOrder],
  delivered: [shipOrder, deliverOrder],
  cancelled: [cancelOrder],
} as const

/** By the names of the records. */
type Ids = { categoryIds: Map<unknown, bigint>; petIds: Map<unknown, bigint> }

/** Checks the shape of a fixture. Throws `invalid_body` with all problems. */
export function readFixture(value: unknown): Fixture {
  return { categories: [], pets: [], orders: [], ...checked<Partial<Fixture>>(Fixture, value, '') }
}

/**
 * Adds the contents of a fixture with the checks and refusals of requests; messages start with the position in the
 * fixture. Throws `invalid_body`.
 */
export async function loadFixture(context: ServiceContext, fixture: Fixture): Promise<void> {
  const ids: Ids = { categoryIds: new Map(), petIds: new Map() }
  await addAll(fixture, 'categories', async (entry, pointer) => {
    const category = checked<NewCategory>(createCategoryOperation.body, entry, pointer)
    ids.categoryIds.set(category.name, (await context.db.write(categoryWrites.insert, category)).id)
  })
  await addAll(fixture, 'pets', (entry, pointer) => addPet(context, entry, { pointer, ...ids }))
  await addAll(fixture, 'orders', (entry, pointer) => addOrder(context, entry, { pointer, ...ids }))
}

type Scope = Ids & { pointer: string }

async function addPet(context: Context, entry: Entry, { pointer, categoryIds, petIds }: Scope) {
  const { category, quantity, photo, ...rest } = entry
  const categoryId = category === undefined ? (rest.categoryId ?? 1) : categoryIds.get(category)
  if (categoryId === undefined)
    throw invalid(`${pointer}/category`, 'must be the name of a category of this fixture')
  const further = ['category', 'quantity', 'photo']
  const newPet = checked<NewPet>(createPetOperation.body, { ...rest, categoryId }, pointer, further)
  const pet = await createPet(context, newPet)
  petIds.set(pet.name, pet.id)
  if (photo !== undefined) await addPhoto(context, pet.id, photo, `${pointer}/photo`)
  if (quantity === undefined) return
  const body = checked<InventoryChange>(updateInventoryOperation.body, { quantity }, pointer)
  await context.db.write(updateInventory, { id: pet.id, body, now: context.clock() })
}

/** A photo is in Base64, as JSON has bytes. */
async function addPhoto(context: Context, id: bigint, photo: unknown, pointer: string) {
  if (typeof photo !== 'string') throw invalid(pointer, 'must be a file in Base64')
  const body = { mediaType: undefined, bytes: Buffer.from(photo, 'base64') }
  await storePhoto(context, { id, body }).catch((error) => {
    throw invalid(pointer, error.message.replace(/\.$/, ''), error)
  })
}

async function addOrder(context: ServiceContext, entry: Entry, { pointer, petIds }: Scope) {
  const { pet, status = 'pending', ...rest } = entry
  const petId = pet === undefined ? rest.petId : petIds.get(pet)
  if (pet !== undefined && petId === undefined)
    throw invalid(`${pointer}/pet`, 'must be the name of a pet of this fixture')
  if (typeof status !== 'string' || !Object.hasOwn(moves, status))
    throw invalid(`${pointer}/status`, `must be one of ${Object.keys(moves).join(', ')}`)
  const further = ['pet', 'status']
  const newOrder = checked<NewOrder>(
    createOrderOperation.body,
    { ...rest, petId },
    pointer,
    further,
  )
  const order = await createOrder(context, newOrder)
  for (const move of moves[status as keyof typeof moves]) await move(context, order.id)
}

/** Adds the entries of a list in order; a refusal becomes `invalid_body` with the position of the entry. */
async function addAll(
  fixture: Fixture,
  list: keyof Fixture,
  add: (entry: Entry, pointer: string) => Promise<unknown>,
) {
  for (const [index, entry] of fixture[list].entries()) {
    const pointer = `/${list}/${index}`
    await add(entry, pointer).catch((error) => {
      if (error instanceof ServiceError && error.problems.length > 0) throw error
      if (typeof error.code !== 'string') throw error
      throw invalid(pointer, error.message.replace(/\.$/, ''), error)
    })
  }
}

const checks = new Map<Type.TSchema, (value: unknown) => Problem[]>()

/**
 * The entry, with `bigint`s where the schema has int64. `further`: what a fixture has beyond the schema. Throws
 * `invalid_body`.
 */
function checked<T>(
  schema: Type.TSchema,
  entry: unknown,
  pointer: string,
  further: readonly string[] = [],
): T {
  const check = checks.get(schema) ?? compileCheck(schema, aboutBody)
  checks.set(schema, check)
  const { $id: of = 'this entry', properties } = schema as Type.TObject & { $id?: string }
  const known = [...Object.keys(properties), ...further]
  const problems = check(entry)
  const isObject = problems.every((problem) => problem.pointer !== '')
  const unknown = isObject ? findUnknownMembers(entry as Entry, new Set(known)) : []
  problems.push(...unknownProblems(unknown, { kind: 'member', of, known }))
  if (problems.length === 0) return entry as T
  throw refusal(
    problems.map((problem) => ({ ...problem, pointer: `${pointer}${problem.pointer}` })),
  )
}

function invalid(pointer: string, detail: string, cause?: unknown): ServiceError {
  return refusal([{ pointer, detail }], cause)
}

function refusal(problems: readonly Problem[], cause?: unknown): ServiceError {
  const sentence = `The fixture cannot be loaded: ${describeProblems(problems, 'it')}`
  return new ServiceError('invalid_body', sentence, { problems, cause })
}
