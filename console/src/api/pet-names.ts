import type { Int64 } from '../../../client/src/operation.ts'
import { client, once } from './client.ts'

/** The most ids that one request takes. */
const idsMax = 100

/** The names of pets by the text of their ids. A pet that was withdrawn has none. */
export async function fetchPetNames(
  ids: readonly Int64[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const unique = [...new Map(ids.map((id) => [String(id), id])).values()].slice(0, idsMax)
  if (unique.length === 0) return new Map()
  const pets = await client.pets.list({ id: unique, limit: idsMax }, { ...once, signal })
  return new Map(pets.data.map(({ id, name }) => [String(id), name]))
}
