import { isIdText, isText, searchReader } from '../base/search-params.ts'

/** What the address of the categories page says. */
export type CategorySearch = { name?: string; at?: string }

export const readCategorySearch = searchReader<CategorySearch>({ name: isText, at: isIdText })
