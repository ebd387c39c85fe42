import { hash } from 'node:crypto'

/** The strong entity tag of a record (RFC 9110, section 8.8.3): it changes with every byte of its JSON text. */
export function entityTagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}

/** Whether a list of entity tags, or `*`, names the tag; compared weakly (RFC 9110, section 8.8.3.2). */
export function isMatch(list: string, tag: string): boolean {
  return (
    list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
  )
}
