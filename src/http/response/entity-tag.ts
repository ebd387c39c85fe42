import type { IncomingHttpHeaders } from 'node:http'
import { invalid } from '../request/problems.ts'

/** A condition of a request; undefined without it. Throws `invalid_parameter` unless it is `*` or entity tags. */
export function readTags(
  headers: IncomingHttpHeaders,
  name: 'If-Match' | 'If-None-Match',
): string | undefined {
  const tags = headers[name === 'If-Match' ? 'if-match' : 'if-none-match']
  if (tags === undefined || tags.trim() === '*' || isTagList(tags)) return tags
  const detail = 'must be * or entity tags in double quotes, as they came in ETag, between commas'
  throw invalid('invalid_parameter', [{ parameter: name, detail }])
}

/** One element of a list of entity tags, with its separator; it may be empty (RFC 9110, section 5.6.1). */
const element = /[ \t]*(?:((?:W\/)?"[^"\s]*")[ \t]*)?(?:,|$)/y

/** Element by element: one expression for the whole list takes quadratic time on a mismatch. */
function isTagList(text: string): boolean {
  let hasTag = false
  element.lastIndex = 0
  while (element.lastIndex < text.length) {
    const match = element.exec(text)
    if (!match) return false
    hasTag ||= match[1] !== undefined
  }
  return hasTag
}
