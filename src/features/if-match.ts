import { entityTagOf, isMatch } from '../context/entity-tag.ts'
import { stringifyJson } from '../contract/int64-json.ts'
import type { JsonText } from '../db/lists/page.ts'
import { refusal } from './refuse.ts'

/** A record to change, and the `If-Match` of the request, if it has one. */
export type Target = { id: bigint; ifMatch?: string | undefined }

/** What Apache and Caddy put at the end of the tag of a response that they compress. */
const codingSuffix = /-(?:gzip|br|zstd)"/g

/**
 * Throws `precondition_failed` unless `If-Match` names the locked record, also as proxies that compress change its tag. `name`
 * begins the message.
 */
export function requireMatch(
  { ifMatch }: Omit<Target, 'id'>,
  locked: JsonText | object,
  name: string,
): void {
  if (ifMatch === undefined) return
  const tag = entityTagOf(typeof locked === 'string' ? locked : stringifyJson(locked))
  if (!isMatch(ifMatch, tag) && !isMatch(ifMatch.replace(codingSuffix, '"'), tag))
    throw refusal('precondition_failed', `${name} no longer matches If-Match. Fetch it and retry.`)
}
