import { parseId } from '../shared/int64-text.ts'

/** What the address of the categories page says. */
export type CategoriesSearch = { name?: string; at?: string }

/** Reads the address; what makes no sense there is left out. */
export function readCategoriesSearch({ name, at }: Record<string, unknown>): CategoriesSearch {
  return {
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof at === 'string' && parseId(at) !== undefined && { at }),
  }
}
