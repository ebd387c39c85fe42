import type { Context } from '../../context/context.ts'
import type { Refusal } from '../../db/errors.ts'
import { refusal } from '../refuse.ts'
import type { Key } from './contract/keys.ts'
import { selectKey } from './queries.ts'

/** One key by its id, without its secret. Throws `not_found`. */
export async function getKey({ db }: Context, id: bigint): Promise<Key> {
  const key = await db.read(selectKey, id)
  if (!key) throw keyNotFound(id)
  return key
}

export function keyNotFound(id: bigint): Refusal {
  return refusal('not_found', `There is no key with the id ${id}.`)
}
