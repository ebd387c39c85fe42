import { isDeepStrictEqual } from 'node:util'
import type { Refusal } from '../db/errors.ts'
import { refusal } from './refuse.ts'

/** Whether a record matches the `If-Match` of the request; undefined without that header. */
export type MatchesIfMatch<R> = ((record: R) => boolean) | undefined

/**
 * Reads the record that a change expects; undefined without `If-Match`. `name` begins the message. Throws
 * `precondition_failed`, and what `read` throws.
 */
export async function readExpected<R>(
  matchesIfMatch: MatchesIfMatch<R>,
  name: string,
  read: () => Promise<R>,
): Promise<R | undefined> {
  if (!matchesIfMatch) return undefined
  const record = await read()
  if (!matchesIfMatch(record)) throw preconditionFailed(name)
  return record
}

/** Throws `precondition_failed` unless the locked record is still the expected one, if one is expected. */
export function requireExpected<R>(expected: R | undefined, locked: R, name: string): void {
  const isUnchanged = expected === undefined || isDeepStrictEqual(locked, expected)
  if (!isUnchanged) throw preconditionFailed(name)
}

export function preconditionFailed(name: string): Refusal {
  return refusal('precondition_failed', `${name} no longer matches If-Match. Fetch it and retry.`)
}
