import Type from 'typebox'
import { limitMax } from './parameters.ts'

/** The array that a page of a list is. */
export function pageOf(
  item: Type.TSchema,
  options: { $id: string; description: string; examples: unknown[] },
): Type.TSchema {
  return Type.Array(item, { maxItems: limitMax, ...options })
}
