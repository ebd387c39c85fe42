import type { Int64 } from '../../../client/src/index.ts'
import { reader } from './client.ts'
import { hasScope } from './session.ts'

/** The most ids that one request takes. */
const idsMax = 100

type Page<T> = { data: readonly T[]; nextCursor: string | undefined }

/** A page of records with the names of their pets, as far as those are still there and the key may read them. */
export async function withPetNames<T extends object>(
  { data, nextCursor }: Page<T>,
  petIdOf: (record: T) => Int64 | undefined,
  signal: AbortSignal | undefined,
): Promise<Page<T & { petName?: string }>> {
  const id = uniqueIds(data.map(petIdOf).filter((id) => id !== undefined)).slice(0, idsMax)
  if (id.length === 0 || !hasScope('pets:read')) return { data, nextCursor }
  const { data: pets } = await reader.pets.list({ id, limit: idsMax }, { signal })
  const names = new Map(pets.map(({ id, name }) => [String(id), name]))
  const named = data.map((record) => {
    const petName = names.get(String(petIdOf(record)))
    return petName === undefined ? record : { ...record, petName }
  })
  return { data: named, nextCursor }
}

export function uniqueIds(ids: readonly Int64[]): Int64[] {
  return [...new Map(ids.map((id) => [String(id), id])).values()]
}
