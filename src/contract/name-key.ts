import { namePrefixMax } from './text-rules.ts'

/** Folding makes at most three code points of one, so a key of this length covers the longest search. */
const keyMax = 3 * namePrefixMax

export const isAscii = /^[\x20-\x7e]*$/

/**
 * The case-folded beginning of a name, for searches: names that differ only in case have equal keys. Computed here,
 * since databases fold case differently.
 */
export function nameKeyOf(name: string): string {
  if (isAscii.test(name)) return name.slice(0, keyMax).toLowerCase()
  // One code point at a time: folding a whole text changes a final sigma.
  const folded = Array.from(name, fold).join('')
  return Array.from(folded).slice(0, keyMax).join('')
}

/** One code point without its case. */
export function fold(point: string): string {
  // Lower case first: otherwise capital and small sharp s fold differently.
  return point.toLowerCase().toUpperCase().toLowerCase()
}
