import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import type { Categories } from '../api/categories.ts'
import { parseId } from '../base/int64-text.ts'

/** The categories to choose from; with the numbers that are chosen or typed, even if there is no such category. */
export function categoryOptions({ list, nameOf }: Categories, others: readonly string[] = []) {
  const unnamed = others.map(parseId).filter((id) => id !== undefined && nameOf(id) === undefined)
  return [
    ...[...new Set(unnamed)].map((id) => ({ value: String(id), label: `Category ${id}` })),
    ...list.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
}

/** Finds categories by a part of their name, and by their number. What is called exactly so comes first. */
export const filterCategories: OptionsFilter = ({ options, search, limit }) => {
  const wanted = search.trim().toLowerCase()
  const isExact = ({ value, label }: ComboboxItem) =>
    value === wanted || label.toLowerCase() === wanted
  return (options as ComboboxItem[])
    .filter((option) => isExact(option) || option.label.toLowerCase().includes(wanted))
    .sort((one, other) => Number(isExact(other)) - Number(isExact(one)))
    .slice(0, limit)
}
