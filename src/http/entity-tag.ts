import { hash } from 'node:crypto'
import { ServiceError } from '../errors.ts'

/** A strong entity tag (RFC 9110, section 8.8.3): it changes whenever a byte of the record does. */
export function entityTagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110, section 13.1.2). */
export function isKnown(ifNoneMatch: string, tag: string): boolean {
  return matches(ifNoneMatch, tag, (one) => one.replace(/^W\//, ''))
}

/** Throws `invalid_parameter` unless `If-Match` is `*` or entity tags (RFC 9110, section 13.1.1). */
export function demandTags(ifMatch: string): void {
  if (/^[ \t]*(?:\*|(?:(?:W\/)?"[^"\s]*"[ \t]*(?:,[ \t]*|$))+)[ \t]*$/.test(ifMatch)) return
  const detail = 'must be * or entity tags in double quotes, as they came in ETag, between commas'
  throw new ServiceError('invalid_parameter', `If-Match ${detail}.`, {
    problems: [{ parameter: 'If-Match', detail }],
  })
}

/** Whether `If-Match` names the tag; compared strongly (RFC 9110, section 13.1.1). */
export function isMatch(ifMatch: string, tag: string): boolean {
  return matches(ifMatch, tag, (one) => one)
}

function matches(list: string, tag: string, read: (one: string) => string): boolean {
  return list.trim() === '*' || list.split(',').some((one) => read(one.trim()) === tag)
}
