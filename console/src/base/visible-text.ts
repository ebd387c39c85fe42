/** A run of text, or the code point of one character that cannot be seen. */
type TextPart = { text: string; isHidden?: true }

/** What cannot be seen, but for joiners: those make one picture of several, and letters of some scripts. */
const unseen =
  /([\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u00a0\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb])/u

/** Splits a text that somebody else wrote, so that what cannot be seen can be shown as a mark. */
export function visibleParts(text: string): TextPart[] {
  // Each second part is a separator.
  return text
    .split(unseen)
    .map((part, index) =>
      index % 2 === 0 ? { text: part } : { text: markOf(part), isHidden: true },
    )
}

/** A text that somebody else wrote, for use within a sentence: its direction does not reach beyond it. */
export function isolated(text: string): string {
  const parts = visibleParts(shortened(text)).map(({ text }) => text)
  return `\u2068${parts.join('')}\u2069`
}

/** Of a longer text the rest is left out where there is one line for it. */
const lengthMax = 300

/** Never ends with half of a character. */
export function shortened(text: string): string {
  if (text.length <= lengthMax) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax
  return `${text.slice(0, end)}…`
}

/** The code point, as `U+202E`. */
function markOf(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}
