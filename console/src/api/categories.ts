import { useQuery } from '@tanstack/react-query'
import type { Category, Int64 } from '../../../client/src/index.ts'
import { reader } from './client.ts'
import { following } from './following.ts'

/** Only so many categories are loaded, by id; others are shown and typed as numbers. */
const categoriesMax = 1_000
const staleMs = 30_000

export type Categories = {
  list: readonly Category[]
  nameOf(id: Int64): string | undefined
  /** Whether these are all that there are. */
  isWhole: boolean
}

const none: Categories = { list: [], nameOf: () => undefined, isWhole: false }

const { meta, refetchInterval } = following(['category'], { pollMs: staleMs })
const categoriesQuery = {
  meta,
  queryKey: ['categories', 'all'],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchCategories(signal),
  staleTime: staleMs,
} as const

/** The categories, by name, kept up to date. Pets may have the number of one that does not exist. */
export function useCategories(): Categories {
  return useQuery({ ...categoriesQuery, refetchInterval }).data ?? none
}

/** Names categories, if they are needed. For each row of a list, so it does not follow; `useCategories` does. */
export function useCategoryNames(isOn = true): Categories['nameOf'] {
  return (useQuery({ ...categoriesQuery, enabled: isOn }).data ?? none).nameOf
}

async function fetchCategories(signal: AbortSignal): Promise<Categories> {
  const found: Category[] = []
  for await (const category of reader.categories.list({}, { signal })) {
    found.push(category)
    if (found.length === categoriesMax) break
  }
  const names = new Map(found.map(({ id, name }) => [String(id), name]))
  const list = found.toSorted((one, other) => one.name.localeCompare(other.name))
  const isWhole = found.length < categoriesMax
  return { list, nameOf: (id) => names.get(String(id)), isWhole }
}
