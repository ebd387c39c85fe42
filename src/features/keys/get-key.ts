import { getBy } from '../verbs.ts'
import { selectKey } from './queries.ts'

/** One key by its id, without its secret. Throws `not_found`. */
export const getKey = getBy(selectKey, 'key')
