import { hash } from 'node:crypto'

/** The strong entity tag of a record (RFC 9110, section 8.8.3): it changes with every byte of its JSON text. */
export function entityTagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}
