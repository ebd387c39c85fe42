import { readableCheck } from '../../db/checks/readable.ts'
import type { Row } from '../../db/db.ts'
import { DamagedRow } from '../../db/records/damaged-row.ts'
import { keys } from './queries.ts'

/** Checks the keys of a service with these scopes. */
export function keysCheck(known: readonly string[]) {
  function itemOf(row: Row): void {
    const { id, scopes } = keys.itemOf(row)
    if (!scopes.every((scope) => scope === 'default' || known.includes(scope)))
      throw new DamagedRow('keys', id, 'scopes')
  }
  const promise = 'the scopes and dates of every key are valid'
  return readableCheck('keys', promise, [{ ...keys, itemOf }])
}
