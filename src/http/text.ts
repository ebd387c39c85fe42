import Type from 'typebox'
import { namePrefixMax } from '../name-key.ts'

/**
 * A text of 1 to `max` code points, at least one of them not white space, none of them a control character or a lone
 * surrogate. It is stored and returned unchanged, and accepted alike on every database.
 */
export function text({ max, description }: { max: number; description: string }) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: max,
    // White space, something else, anything: in this form a mismatch is found in one pass.
    // Cc: control characters. Cs: surrogates, which in well-formed text never stand alone.
    pattern: '^[\\p{Z}\\ufeff]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$',
    allowed: `a string of 1 to ${max} characters, at least one of them not white space, none of them a control character or a lone surrogate`,
  })
}

/** The beginning of a name, as a filter. */
export function namePrefix(description: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: namePrefixMax,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    allowed: `1 to ${namePrefixMax} characters, none of them a control character, sent once`,
  })
}
