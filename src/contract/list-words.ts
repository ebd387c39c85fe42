/** Words as a sentence lists them: `a, b and c`. The first use of `Intl.ListFormat` would take each start 30 ms. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const [last = '', ...others] = words.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} ${conjunction} ${last}`
}

/** `PetCreated` for `pet.created`, `InvalidBody` for `invalid_body`. */
export function inPascalCase(words: string): string {
  return words.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** A noun with its indefinite article. */
export function withArticle(noun: string): string {
  return `${'aeiou'.includes(noun.charAt(0)) ? 'an' : 'a'} ${noun}`
}
