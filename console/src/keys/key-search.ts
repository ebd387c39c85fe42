import { isIdText, searchReader } from '../base/search-params.ts'

/** What the address of the keys page says. */
export type KeySearch = { at?: string }

export const readKeySearch = searchReader<KeySearch>({ at: isIdText })
