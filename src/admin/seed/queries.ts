import { nameKeyOf } from '../../contract/name-key.ts'
import type { PetStatus } from '../../contract/pet-status.ts'
import { oneByOne, type Query, type Sql } from '../../db/db.ts'
import type { OrderStatus } from '../../features/sales/contract/orders.ts'

/** Pets and their orders; instants in milliseconds since 1970. */
export type SeedChunk = {
  categories: readonly SeedCategory[]
  pets: readonly SeedPet[]
}

type SeedCategory = { name: string; description: string }

/** `category` is the name of one of the chunk's categories. */
export type SeedPet = {
  name: string
  category: string
  stated: PetStatus | null
  onHand: number
  reserved: number
  orders: readonly SeedOrder[]
}

export type SeedOrder = {
  quantity: number
  status: OrderStatus
  reference: string | null
  createdAt: number
  shipDate: number | null
  expiresAt: number | null
}

/** The number of added records. */
export type SeedCounts = { pets: number; categories: number; orders: number }

const petColumns = [
  { name: 'name', type: 'text' },
  { name: 'name_key', type: 'text' },
  { name: 'category_id', type: 'bigint' },
  { name: 'stated', type: 'text' },
  { name: 'on_hand', type: 'bigint' },
  { name: 'reserved', type: 'bigint' },
] as const

const orderColumns = [
  { name: 'pet_id', type: 'bigint' },
  { name: 'quantity', type: 'bigint' },
  { name: 'status', type: 'text' },
  { name: 'reference', type: 'text' },
  { name: 'created_at', type: 'bigint' },
  { name: 'ship_date', type: 'bigint' },
  { name: 'expires_at', type: 'bigint' },
] as const

/** Adds the pets of a chunk with their orders, and its missing categories. */
export const insertSeed = oneByOne<SeedChunk, SeedCounts>({
  name: 'insertSeed',
  async run(sql, { categories, pets }) {
    const known = await selectCategories(sql, categories)
    const missing = categories.filter(({ name }) => !known.has(nameKeyOf(name)))
    const added = await insertCategories(sql, missing)
    // Categories that another process adds meanwhile were missing too.
    const ids = missing.length === 0 ? known : await selectCategories(sql, categories)

    const petIds = await sql.insert(
      'pets',
      petColumns,
      pets.map(({ name, category, stated, onHand, reserved }) => [
        name,
        nameKeyOf(name),
        ids.get(nameKeyOf(category)) as bigint,
        stated,
        onHand,
        reserved,
      ]),
    )
    const orders = pets.flatMap((pet, index) =>
      pet.orders.map((order) => ({ petId: petIds[index] as bigint, ...order })),
    )
    await sql.insert(
      'orders',
      orderColumns,
      orders.map(({ petId, quantity, status, reference, createdAt, shipDate, expiresAt }) => [
        petId,
        quantity,
        status,
        reference,
        createdAt,
        shipDate,
        expiresAt,
      ]),
    )
    return { pets: pets.length, categories: added, orders: orders.length }
  },
})

/** The ids of existing categories, by the keys of their names. */
async function selectCategories(sql: Sql, categories: readonly SeedCategory[]) {
  const keys = categories.map(({ name }) => nameKeyOf(name))
  const marks = keys.map((_, index) => `?${index + 1}`).join(', ')
  const rows = await sql.all<[string, bigint]>(
    `select name_key, id from categories where name_key in (${marks})`,
    keys,
  )
  return new Map(rows)
}

/** One by one in this order: ids follow it, and two concurrent seeds cannot deadlock. */
async function insertCategories(sql: Sql, categories: readonly SeedCategory[]): Promise<number> {
  let count = 0
  for (const { name, description } of categories) {
    const inserted = await sql.all(
      `insert into categories (name, name_key, description) values (?1, ?2, ?3)
      on conflict (name_key) do nothing returning id`,
      [name, nameKeyOf(name), description],
    )
    count += inserted.length
  }
  return count
}

/** Whether a store has rows of a kind. */
type Contents = { pets: boolean; categories: boolean; orders: boolean }

export const selectContents: Query<undefined, Contents> = {
  key: () => '',
  async run(sql, inputs) {
    const [row] = await sql.all<(bigint | null)[]>(
      `select (select max(id) from pets), (select max(id) from categories), (select max(id) from orders)`,
    )
    const [pets, categories, orders] = (row ?? []).map((last) => last !== null)
    const contents = { pets, categories, orders } as Contents
    return inputs.map(() => contents)
  },
}
