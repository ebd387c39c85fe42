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

const formatCharacters = /\p{Cf}+/gu
const spaces = /\s+/g

/**
 * A name in the form in which it must be unique: names that look alike have the same. Without format characters (Cf), of
 * compatibility forms (NFKC), case-folded, with spaces joined. Node's Unicode version decides: characters that it knows keep
 * this form in later ones, so only names with characters that are newer than an older Node may have another form there.
 */
export function canonicalNameOf(name: string): string {
  const parts = name.replace(formatCharacters, '').normalize('NFKD')
  const folded = Array.from(parts, fold).join('').normalize('NFKC')
  const joined = folded.replace(spaces, ' ').trim()
  return Array.from(joined).slice(0, keyMax).join('')
}

/** One code point without its case. */
export function fold(point: string): string {
  // Lower case first: otherwise capital and small sharp s fold differently.
  return point.toLowerCase().toUpperCase().toLowerCase()
}
