import type { OptionsFilter } from '@mantine/core'
import type { Categories } from '../api/categories.ts'
import { parseId } from '../base/int64-text.ts'

type Option = { value: string; label: string }

/** The categories to choose from; with the number that is chosen or typed, even if there is no such category. */
export function categoryOptions({ list, nameOf }: Categories, other: string | undefined): Option[] {
  const options = list.map(({ id, name }) => ({ value: String(id), label: name }))
  const id = other === undefined ? undefined : parseId(other)
  if (id === undefined || nameOf(id) !== undefined) return options
  return [{ value: String(id), label: `Category ${id}` }, ...options]
}

/** Finds categories by a part of their name, and by their number. What is called exactly so comes first. */
export const filterCategories: OptionsFilter = ({ options, search, limit }) => {
  const { exact, others } = findCategories(options.filter(isOption), search)
  return [...exact, ...others].slice(0, limit)
}

/** The category that a text names: exactly, or as the only one whose name contains it. */
export function namedCategory(options: readonly Option[], text: string): Option | undefined {
  if (text.trim() === '') return undefined
  const { exact, others } = findCategories(options, text)
  return exact[0] ?? (others.length === 1 ? others[0] : undefined)
}

function findCategories<Found extends Option>(options: readonly Found[], text: string) {
  const wanted = text.trim().toLowerCase()
  const isExact = ({ value, label }: Option) => value === wanted || label.toLowerCase() === wanted
  const found = options.filter(
    (option) => isExact(option) || option.label.toLowerCase().includes(wanted),
  )
  return {
    exact: found.filter(isExact),
    others: found.filter((option) => !isExact(option)),
  }
}

/** Not a group. */
function isOption<Item extends object>(item: Item): item is Item & Option {
  return 'value' in item
}
