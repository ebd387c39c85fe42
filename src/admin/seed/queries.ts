import { nameKeyOf } from '../../contract/name-key.ts'
import type { PetStatus } from '../../contract/pet-status.ts'
import { oneByOne, type Tx } from '../../db/db.ts'
import { columnsOf, queryOnce } from '../../db/records/rows.ts'
import { recordingFor } from '../../db/writes/run-write.ts'
import { categoryWrites, findAlike } from '../../features/categories/queries.ts'
import type { NewDetails } from '../../features/details/contract.ts'
import { detailsWrites } from '../../features/details/write-details.ts'
import { initialStock } from '../../features/pets/queries.ts'
import { photoIn } from '../../features/photos/store-photo.ts'
import { replacePhoto } from '../../features/photos/write-photos.ts'
import type { OrderStatus } from '../../features/sales/contract/orders.ts'
import { insertOrders } from '../../features/sales/queries.ts'
import { petOf, recordQuantity } from '../../features/sales/record-stock.ts'
import { statusOf } from '../../features/sales/stock.ts'

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
  details: NewDetails | undefined
  photo?: { file: Uint8Array; now: number }
}

export type SeedOrder = {
  quantity: number
  status: OrderStatus
  reference?: string
  now: number
  shipDate: number | undefined
  expiresAt: number | undefined
}

/** The number of added records. */
export type SeedCounts = { pets: number; categories: number; orders: number }

const petColumns = [
  ...columnsOf('text', 'name', 'name_key', 'stated'),
  ...columnsOf('bigint', 'category_id', 'on_hand', 'reserved'),
]

/** Adds the pets of a chunk with their orders, and its missing categories. */
export const insertSeed = oneByOne<SeedChunk, SeedCounts>({
  name: 'insertSeed',
  async run(tx, chunk) {
    const { categories, pets } = chunk
    const { ids, added } = await provideCategories(tx, chunk, categories)

    const petIds = await tx.insert(
      'pets',
      petColumns,
      pets.map(({ name, category, stated, onHand, reserved }) => [
        ...[name, nameKeyOf(name), stated],
        ...[ids.get(category) as bigint, onHand, reserved],
      ]),
    )
    for (const [
      index,
      { name, category, orders: _, details: __, photo, ...quantities },
    ] of pets.entries()) {
      const petId = petIds[index] as bigint
      const categoryId = ids.get(category) as bigint
      const status = statusOf(quantities)
      const stock = { petId, name, categoryId, status, ...quantities }
      tx.record(chunk, { type: 'pet.created', record: 'pet', id: petId, data: petOf(stock) })
      const onHand = initialStock(status ?? undefined)
      recordQuantity(tx, chunk, { before: { ...stock, onHand }, after: stock })
      if (!photo) continue
      const { bytes, ...body } = photoIn(photo.file, photo.now)
      await replacePhoto.run(recordingFor(tx, chunk), [{ id: petId, body, bytes }])
    }
    const told = pets.flatMap(({ details: body }, index) =>
      body ? [{ id: petIds[index] as bigint, body }] : [],
    )
    await detailsWrites.changeParts(tx, chunk, told)
    const ordered = pets.flatMap(({ orders, details }, index) =>
      orders.map((order) => ({
        ...{ petId: petIds[index] as bigint, unitPrice: details?.price },
        ...order,
      })),
    )
    const orders = await insertOrders(tx, ordered)
    for (const data of orders)
      tx.record(chunk, { type: 'order.placed', record: 'order', id: data.id, data })
    return { pets: pets.length, categories: added, orders: orders.length }
  },
})

/**
 * The ids of categories by their names. Those that are missing are added one by one in this order: ids follow it, and two
 * concurrent seeds cannot deadlock. One that another process adds meanwhile is refused.
 */
async function provideCategories(
  tx: Tx,
  chunk: SeedChunk,
  categories: readonly SeedCategory[],
): Promise<{ ids: Map<string, bigint>; added: number }> {
  const record: Tx['record'] = (_category, change) => tx.record(chunk, change)
  const ids = new Map<string, bigint>()
  let added = 0
  for (const category of categories) {
    const { name } = category
    const run = () => categoryWrites.insert.run({ ...tx, record }, [category])
    const find = async () => (await findAlike(tx, [name])).get(name)
    const known = await find()
    if (!known && 'value' in (await tx.attempt(run))) added += 1
    ids.set(name, (known ?? (await find()))?.id as bigint)
  }
  return { ids, added }
}

const kinds = ['pets', 'categories', 'orders'] as const
const lastIds = kinds.map((kind) => `(select max(id) from ${kind})`)

/** The kinds of records in a store, in words for people; none in an empty store. */
export const selectContents = queryOnce(async (sql) => {
  const [row] = await sql.all<(bigint | null)[]>(`select ${lastIds.join(', ')}`)
  return kinds.filter((_, index) => row?.[index] !== null)
})
