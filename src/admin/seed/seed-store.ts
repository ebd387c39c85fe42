import type { Context } from '../../context/context.ts'
import type { OnProgress } from '../progress.ts'
import { demoChunks } from './demo-chunks.ts'
import { insertSeed, type SeedCounts } from './queries.ts'

export const defaultSeed = 'petstore'

type SeedRequest = {
  /** How many pets, from 1 to `seedCountMax`. */
  count: number
  seed?: string
  onProgress?: OnProgress
}

/**
 * Adds demo data: pets, their categories where they are missing, and orders. On an empty store the same count and seed
 * give the same rows on the same day. Each chunk is durable by itself: after a failure, the earlier chunks stay.
 */
export async function seedStore(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { count, seed = defaultSeed, onProgress }: SeedRequest,
): Promise<SeedCounts> {
  const total = { pets: 0, categories: 0, orders: 0 }
  onProgress?.({ unit: 'pets', done: 0, total: count })
  for (const chunk of demoChunks(count, seed, clock())) {
    const added = await db.write(insertSeed, chunk)
    total.pets += added.pets
    total.categories += added.categories
    total.orders += added.orders
    onProgress?.({ unit: 'pets', done: total.pets, total: count })
  }
  return total
}
