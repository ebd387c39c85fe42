import { hash } from 'node:crypto'

/** The SHA-256 of a file in hexadecimal. */
export function digestOf(file: Uint8Array): string {
  return hash('sha256', file)
}
