import { useQuery } from '@tanstack/react-query'
import type { Category } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { client, once } from './client.ts'

/** More categories than a person can choose from; others are shown and typed as numbers. */
const categoriesMax = 1_000
const staleMs = 30_000

export type Categories = { list: readonly Category[]; nameOf(id: Int64): string | undefined }

const none: Categories = { list: [], nameOf: () => undefined }

/** The categories, by name. Pets may have the number of one that does not exist. */
export function useCategories(): Categories {
  const { data = none } = useQuery({
    queryKey: ['categories', 'all'],
    queryFn: ({ signal }) => fetchCategories(signal),
    staleTime: staleMs,
    refetchInterval: staleMs,
    structuralSharing: false,
  })
  return data
}

async function fetchCategories(signal: AbortSignal): Promise<Categories> {
  const found: Category[] = []
  for await (const category of client.categories.list({}, { ...once, signal })) {
    found.push(category)
    if (found.length === categoriesMax) break
  }
  const names = new Map(found.map(({ id, name }) => [String(id), name]))
  const list = found.toSorted((one, other) => one.name.localeCompare(other.name))
  return { list, nameOf: (id) => names.get(String(id)) }
}
