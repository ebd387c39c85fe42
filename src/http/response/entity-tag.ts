import { ServiceError } from '../../contract/service-error.ts'

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110, section 13.1.2). */
export function isKnown(ifNoneMatch: string, tag: string): boolean {
  return matches(ifNoneMatch, tag, (one) => one.replace(/^W\//, ''))
}

/** One element of a list of entity tags, with its separator; it may be empty (RFC 9110, section 5.6.1). */
const element = /[ \t]*(?:((?:W\/)?"[^"\s]*")[ \t]*)?(?:,|$)/y

/** Throws `invalid_parameter` unless `If-Match` is `*` or entity tags (RFC 9110, section 13.1.1). */
export function requireTags(ifMatch: string): void {
  if (ifMatch.trim() === '*' || isTagList(ifMatch)) return
  const detail = 'must be * or entity tags in double quotes, as they came in ETag, between commas'
  throw new ServiceError('invalid_parameter', `If-Match ${detail}.`, {
    problems: [{ parameter: 'If-Match', detail }],
  })
}

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

/** Whether `If-Match` names the tag; compared strongly (RFC 9110, section 13.1.1). */
export function isMatch(ifMatch: string, tag: string): boolean {
  return matches(ifMatch, tag, (one) => one)
}

function matches(list: string, tag: string, read: (one: string) => string): boolean {
  return list.trim() === '*' || list.split(',').some((one) => read(one.trim()) === tag)
}
