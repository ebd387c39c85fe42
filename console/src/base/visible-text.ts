/** A run of text, or one character that cannot be seen, with its name. */
type TextPart = { text: string; hidden?: string }

const names: Record<string, string> = {
  '\u00a0': 'no-break space',
  '\u00ad': 'soft hyphen',
  '\u061c': 'Arabic letter mark',
  '\u200b': 'zero-width space',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of embedding',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of isolate',
  '\ufeff': 'byte order mark',
}

/** What cannot be seen, but for joiners: those make one picture of several, and letters of some scripts. */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u00a0\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/** Splits a text that somebody else wrote, so that what cannot be seen can be shown as a mark. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: hidden, index } of text.matchAll(unseen)) {
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ text: markOf(hidden), hidden: names[hidden] ?? 'invisible character' })
    end = index + hidden.length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end) })
  return parts
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
