import type { Operation } from '../../contract/operation.ts'
import { pageParameters } from '../../contract/schemas.ts'
import type * as Type from '../../contract/type.ts'

type Property = Type.TSchema & { type?: string; enum?: readonly string[]; items?: Property }

const integer = /^-?\d{1,19}$/

/** Tells which values of query parameters a log may show: integers, and the values that an operation's contract lists. */
export function compileIsShown(operations: readonly Operation[]) {
  const integers = new Set<string>()
  const words = new Map<string, Set<string>>()
  for (const { properties } of [
    pageParameters,
    ...operations.flatMap(({ query }) => query ?? []),
  ]) {
    for (const [name, property] of Object.entries(properties as Record<string, Property>)) {
      const { type, enum: listed = [] } = property.items ?? property
      if (type === 'integer') integers.add(name)
      words.set(name, new Set([...(words.get(name) ?? []), ...listed]))
    }
  }
  return (name: string, value: string): boolean =>
    (integers.has(name) && integer.test(value)) || words.get(name)?.has(value) === true
}
