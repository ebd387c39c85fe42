import { namePrefixMax } from './text-rules.ts'

/** Folding makes at most three code points of one, so a key of this many holds every search whole. */
const keyMax = 3 * namePrefixMax

const isAscii = /^[\x20-\x7e]*$/

/**
 * The beginning of a name as searches compare it, whatever its case: two names that differ in case alone
 * have one key. It is computed here, since databases fold case each in its own way.
 */
export function nameKeyOf(name: string): string {
  if (isAscii.test(name)) return name.slice(0, keyMax).toLowerCase()
  // One code point at a time: on a whole text a final sigma would become another letter.
  const folded = Array.from(name, fold).join('')
  return Array.from(folded).slice(0, keyMax).join('')
}

function fold(point: string): string {
  // Lower case first: only so the capital sharp s becomes what the small one does.
  return point.toLowerCase().toUpperCase().toLowerCase()
}
