import type { Operation } from './operation.ts'

/** Of the process, whatever copies of this package it has loaded. */
const warnedKey = Symbol.for('petstore-client.warned')

/** Warns once in a process of an operation that the service says is deprecated (RFC 9745, RFC 8594). */
export function warnOfDeprecation(
  { id, advice }: Operation,
  headers: Headers,
  warn: (message: string) => void,
): void {
  if (!headers.has('deprecation')) return
  const holder = globalThis as { [warnedKey]?: Set<string> }
  const warned = holder[warnedKey] ?? new Set()
  holder[warnedKey] = warned
  if (warned.has(id)) return
  warned.add(id)
  const removal = Date.parse(headers.get('sunset') ?? '')
  const until = Number.isNaN(removal)
    ? ''
    : ` and will be removed on ${new Date(removal).toISOString().slice(0, 10)}`
  warn(`petstore-client: ${id} is deprecated${until}.${advice ? ` ${advice}` : ''}`)
}
