import type { Categories } from '../api/categories.ts'
import { parseId } from './int64-text.ts'

type Option = { value: string; label: string }

/** The categories to choose from; with the number that is chosen or typed, even if there is no such category. */
export function categoryOptions({ list, nameOf }: Categories, other: string | undefined): Option[] {
  const options = list.map(({ id, name }) => ({ value: String(id), label: name }))
  const id = other === undefined ? undefined : parseId(other)
  if (id === undefined || nameOf(id) !== undefined) return options
  return [{ value: String(id), label: `Category ${id}` }, ...options]
}
