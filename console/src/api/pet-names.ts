import type { Int64 } from '../../../client/src/index.ts'
import { reader } from './client.ts'

/** The most ids that one request takes. */
const idsMax = 100

/** The names of up to 100 pets by the text of their ids. A pet that was withdrawn has none. */
export async function fetchPetNames(
  ids: readonly Int64[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const unique = uniqueIds(ids).slice(0, idsMax)
  if (unique.length === 0) return new Map()
  const pets = await reader.pets.list({ id: unique, limit: idsMax }, { signal })
  return new Map(pets.data.map(({ id, name }) => [String(id), name]))
}

/** A page of records with the names of their pets, if they have one, as far as those are still there. */
export async function withPetNames<T extends object>(
  { data, nextCursor }: { data: readonly T[]; nextCursor: string | undefined },
  petIdOf: (record: T) => Int64 | undefined,
  signal: AbortSignal | undefined,
) {
  const ids = data.map(petIdOf).filter((id) => id !== undefined)
  const names = await fetchPetNames(ids, signal)
  return {
    data: data.map((record): T & { petName?: string } => {
      const petName = names.get(String(petIdOf(record)))
      return petName === undefined ? record : { ...record, petName }
    }),
    nextCursor,
  }
}

export function uniqueIds(ids: readonly Int64[]): Int64[] {
  return [...new Map(ids.map((id) => [String(id), id])).values()]
}
