import type { Int64 } from '../../../client/src/index.ts'
import { int64Max } from '../../../src/contract/int64.ts'

/** The id that a person typed, exactly; `undefined` where it is none. White space around it is no mistake. */
export function parseId(text: string): Int64 | undefined {
  const digits = text.trim()
  if (!/^(?:0|[1-9]\d{0,18})$/.test(digits)) return undefined
  const id = BigInt(digits)
  if (id > int64Max) return undefined
  return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id
}

/** The id before or after another, for lists that begin after an id. */
export function neighbourOf(id: Int64, step: 1 | -1): Int64 {
  const neighbour = BigInt(id) + BigInt(step)
  return neighbour > int64Max ? id : neighbour
}
