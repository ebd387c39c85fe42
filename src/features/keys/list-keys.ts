import type { Context } from '../../context/context.ts'
import { type StoredKey, selectKeys } from './queries.ts'

/** All keys that were ever issued, oldest first; none of them can be read back. */
export function listKeys({ db }: Context): Promise<StoredKey[]> {
  return db.read(selectKeys, undefined)
}
