import assert from 'node:assert/strict'
import { it } from 'node:test'
import { foundParts, searchedWords } from '../../console/src/base/found-words.ts'

const marked = (name: string, typed: string) =>
  foundParts(name, searchedWords(typed))
    .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
    .join('')

it('marks the beginnings of words that are searched for, as they are written', () => {
  for (const [name, typed, expected] of [
    ['Sunny, cream Maine Coon', 'main', 'Sunny, cream [Main]e Coon'],
    ['Sunny, cream Maine Coon', 'coon CREAM', 'Sunny, [cream] Maine [Coon]'],
    ['Maine Main', 'm main', '[Main]e [Main]'],
    ['Björk, Bjo\u0308rk', 'bjo', '[Bjö]rk, [Bjo\u0308]rk'],
    ['Große Straße', 'stras', 'Große [Straß]e'],
    ['猫と犬', '犬', '猫と[犬]'],
    ['\u{10400}b 🐕', '\u{10428}', '[\u{10400}]b 🐕'],
    ['한국', '하', '[한]국'],
    ['Rex', '', 'Rex'],
    ['Rex', '%', 'Rex'],
    ['', 'rex', ''],
  ] as const)
    assert.equal(marked(name, typed), expected)
})
