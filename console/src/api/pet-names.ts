import type { Int64 } from '../../../client/src/index.ts'
import { reader } from './client.ts'

/** The most ids that one request takes. */
const idsMax = 100

/** A page of records with the names of their pets, if they have one, as far as those are still there. */
export async function withPetNames<T extends object>(
  { data, nextCursor }: { data: readonly T[]; nextCursor: string | undefined },
  petIdOf: (record: T) => Int64 | undefined,
  signal: AbortSignal | undefined,
) {
  const id = uniqueIds(data.map(petIdOf).filter((id) => id !== undefined)).slice(0, idsMax)
  const pets =
    id.length === 0 ? [] : (await reader.pets.list({ id, limit: idsMax }, { signal })).data
  const names = new Map(pets.map(({ id, name }) => [String(id), name]))
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
