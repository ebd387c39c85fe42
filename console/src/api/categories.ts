import { useQuery } from '@tanstack/react-query'
import type { Category } from '../../../client/src/generated/records.ts'
import type { Int64 } from '../../../client/src/operation.ts'
import { client, once } from './client.ts'
import { queryClient } from './query-client.ts'

/** More categories than a person can choose from; others are shown and typed as numbers. */
const categoriesMax = 1_000
const staleMs = 30_000

export type Categories = { list: readonly Category[]; nameOf(id: Int64): string | undefined }

const none: Categories = { list: [], nameOf: () => undefined }

const categoriesQuery = {
  queryKey: ['categories', 'all'],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchCategories(signal),
  staleTime: staleMs,
  structuralSharing: false,
} as const

/** The categories, by name, kept up to date. Pets may have the number of one that does not exist. */
export function useCategories(): Categories {
  return useQuery({ ...categoriesQuery, refetchInterval: staleMs }).data ?? none
}

/** The name of a category. In each row of a list: only `useCategories` asks again and again. */
export function useCategoryName(id: Int64): string | undefined {
  return useQuery(categoriesQuery).data?.nameOf(id)
}

/** They were changed here. */
export function refreshCategories(): void {
  void queryClient.invalidateQueries({ queryKey: categoriesQuery.queryKey })
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
