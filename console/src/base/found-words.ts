import {
  foldedText,
  searchMax,
  searchWordsMax,
  wordPattern,
  wordsOf,
} from '../../../src/contract/words.ts'

/** The words that a typed text searches for, as many as the service takes. */
export function searchedWords(text: string): readonly string[] {
  const words = wordsOf(text).slice(0, searchWordsMax)
  while (words.join(' ').length > searchMax) words.pop()
  return words
}

type NamePart = { text: string; isFound: boolean }

/** Splits a name at the beginnings of its words that are searched for. */
export function foundParts(name: string, begins: readonly string[]): NamePart[] {
  if (begins.length === 0) return [{ text: name, isFound: false }]
  const { folded, starts } = foldWithStarts(name)
  const parts: NamePart[] = []
  let end = 0
  const add = (to: number, isFound: boolean) => {
    if (to > end) parts.push({ text: name.slice(end, to), isFound })
    end = Math.max(end, to)
  }
  for (const { 0: word, index } of folded.matchAll(wordPattern)) {
    const length = Math.max(...begins.map((begin) => (word.startsWith(begin) ? begin.length : 0)))
    if (length === 0) continue
    const last = starts[index + length - 1] as number
    add(starts[index] as number, false)
    add(starts.find((start) => start > last) ?? name.length, true)
  }
  add(name.length, false)
  return parts
}

/** The text as words compare it, and for each of its units where in the name the character begins that became it. */
function foldWithStarts(name: string) {
  const starts: number[] = []
  let folded = ''
  let at = 0
  for (const point of name) {
    const text = foldedText(point)
    folded += text
    for (let unit = 0; unit < text.length; unit++) starts.push(at)
    at += point.length
  }
  return { folded, starts }
}
