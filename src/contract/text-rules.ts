/**
 * Control characters (Cc), as a class with the same meaning in every dialect of regular expressions, with and without
 * Unicode.
 */
const controls = '\\x00-\\x1F\\x7F-\\x9F'

/**
 * A text with at least one character that is not white space, and no control character. The first two parts of the
 * pattern share no character, so matching takes linear time.
 */
export const textPattern = `^[^\\S${controls}]*[^\\s${controls}][^${controls}]*$`

const controlsInLines = '\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F'

/** As `textPattern`, of several lines: with tabs and line ends. */
export const linesPattern = `^[^\\S${controlsInLines}]*[^\\s${controlsInLines}][^${controlsInLines}]*$`

/** The beginning of a text: no control character. */
export const prefixPattern = `^[^${controls}]*$`

/** The maximum length of a search, in code points. */
export const namePrefixMax = 100
