import { searchMax, searchWordsMax, wordsOf } from '../../../src/contract/words.ts'

/** The words that a typed text searches for, as many as the service takes. */
export function searchedWords(text: string): readonly string[] {
  const words = wordsOf(text).slice(0, searchWordsMax)
  while (words.join(' ').length > searchMax) words.pop()
  return words
}
