import { isIdText, isText } from '../base/search-params.ts'

/** What the address of the categories page says. */
export type CategorySearch = { name?: string; at?: string }

/** Reads the address; what makes no sense there is left out. */
export function readCategorySearch({ name, at }: Record<string, unknown>): CategorySearch {
  return { ...(isText(name) && { name }), ...(isIdText(at) && { at }) }
}
