import Type from 'typebox'
import { namePrefixMax } from '../name-key.ts'

/** Control characters (Cc), as a class that every dialect of regular expressions reads alike, with and without Unicode. */
const controls = '\\x00-\\x1F\\x7F-\\x9F'

/**
 * A text of 1 to `max` code points, at least one of them not white space, none of them a control character or a lone
 * surrogate. It is stored and returned unchanged, and accepted alike on every database.
 */
export function text({
  max,
  description,
  examples,
}: {
  max: number
  description: string
  examples: string[]
}) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: max,
    // White space, something else, anything: the first two have no character in common, so matching takes linear time.
    pattern: `^[^\\S${controls}]*[^\\s${controls}][^${controls}]*$`,
    wellFormed: true,
    allowed: `a string of 1 to ${max} characters, at least one of them not white space, none of them a control character or a lone surrogate`,
    examples,
  })
}

/** The beginning of a name, as a filter. */
export function namePrefix(description: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: namePrefixMax,
    pattern: `^[^${controls}]*$`,
    wellFormed: true,
    allowed: `1 to ${namePrefixMax} characters, none of them a control character, sent once`,
  })
}
