import type { Context } from '../../context/context.ts'
import { type ListRequest, type Page, readPage } from '../../db/lists/page.ts'
import type { Key } from './contract/keys.ts'
import { keysList, type StoredKey, selectKeys } from './queries.ts'

/** One page of keys, without their secrets. */
export function listKeys(
  { db }: Context,
  request: ListRequest<Record<never, never>>,
): Promise<Page<Key>> {
  return readPage(db, keysList, request)
}

/** All keys ever issued, oldest first, without their secrets. */
export function listAllKeys({ db }: Context): Promise<StoredKey[]> {
  return db.read(selectKeys, undefined)
}
