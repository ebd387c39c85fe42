import { entityTagOf, isMatch } from '../context/entity-tag.ts'
import { stringifyJson } from '../contract/int64-json.ts'
import type { JsonText } from '../db/lists/page.ts'
import { refusal } from './refuse.ts'

/** A record to change, and the conditions of the request, if it has any. */
export type Target = { id: bigint } & Condition

type Condition = { ifMatch?: string | undefined; ifNoneMatch?: string | undefined }

/** What Apache and Caddy put at the end of the tag of a response that they compress. */
const codingSuffix = /-(?:gzip|br|zstd)"/g

/**
 * Throws `precondition_failed` unless `If-Match` names the locked record, also as proxies that compress change its tag, and
 * `If-None-Match` does not; where there is no record, no tag names it. `name` begins the message.
 */
export function requireMatch(
  { ifMatch, ifNoneMatch }: Condition,
  locked: JsonText | object | undefined,
  name: string,
  tagOf = tagOfRecord,
): void {
  if (ifMatch === undefined && ifNoneMatch === undefined) return
  const names = (tags: string) => {
    if (locked === undefined) return false
    const tag = tagOf(locked)
    return isMatch(tags, tag) || isMatch(tags.replace(codingSuffix, '"'), tag)
  }
  if (ifMatch !== undefined && !names(ifMatch))
    throw refusal('precondition_failed', `${name} no longer matches If-Match. Fetch it and retry.`)
  if (ifNoneMatch !== undefined && names(ifNoneMatch))
    throw refusal('precondition_failed', `${name} matches If-None-Match: there is one already.`)
}

/** The entity tag of a record whose response is its JSON text. */
export function tagOfRecord(record: JsonText | object): string {
  return entityTagOf(typeof record === 'string' ? record : stringifyJson(record))
}
