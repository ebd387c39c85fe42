import { fold, isAscii } from './name-key.ts'

/** The maximum length of a search, in code points, and its maximum number of words. */
export const searchMax = 200
export const searchWordsMax = 8

/** Of a longer text the first words count, and of a longer word its first code points. */
const wordsMax = 100
const wordMax = 50

const marks = /\p{M}+/gu
/** The scripts that have no spaces between words: each character counts as a word. */
const spaceless =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/gu
/** A word in a folded text. */
const wordPattern = /[\p{L}\p{N}]+/gu

/**
 * The words of a text, each once: its letters and digits, decomposed (NFKD), without marks, case-folded. Computed here, since
 * databases differ in this.
 */
export function wordsOf(text: string): string[] {
  const found = foldedText(text).match(wordPattern) ?? []
  return [...new Set(found.map(shortened))].slice(0, wordsMax)
}

function shortened(word: string): string {
  return word.length <= wordMax ? word : Array.from(word).slice(0, wordMax).join('')
}

/** The text as words compare it; for each of its characters alone the same as within it. */
function foldedText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  return Array.from(text.normalize('NFKD'), fold)
    .join('')
    .replace(marks, '')
    .replace(spaceless, ' $& ')
}
