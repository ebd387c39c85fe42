import type { Context } from '../../context/context.ts'
import { type StoredKey, selectKeys } from './queries.ts'

/** All keys, those that ended within a year too, oldest first, without their secrets. */
export function listAllKeys({ db }: Context): Promise<StoredKey[]> {
  return db.read(selectKeys, undefined)
}
