/** What is said of a text that is no whole number. */
export const wholeNumberHint = 'Type a whole number, such as 3.'

/** The whole number that a person typed; `undefined` where it is none. */
export function parseWholeNumber(text: string): number | undefined {
  const digits = text.trim()
  return /^-?\d{1,15}$/.test(digits) ? Number(digits) : undefined
}
