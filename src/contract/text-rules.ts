/** Control characters (Cc), as a class that every dialect of regular expressions reads alike, with and without Unicode. */
const controls = '\\x00-\\x1F\\x7F-\\x9F'

/**
 * A text with at least one character that is not white space, and no control character. White space, something else,
 * anything: the first two have no character in common, so matching takes linear time.
 */
export const textPattern = `^[^\\S${controls}]*[^\\s${controls}][^${controls}]*$`

/** The beginning of a text: no control character. */
export const prefixPattern = `^[^${controls}]*$`

/** The most code points of a search. */
export const namePrefixMax = 100
