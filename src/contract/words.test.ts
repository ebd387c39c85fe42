import assert from 'node:assert/strict'
import { it } from 'node:test'
import { amount } from '../../test/harness/extent.ts'
import { wordsOf } from './words.ts'

it('words are letters and digits, without case and accents', () => {
  for (const [text, words] of [
    ['Sunny, cream Maine Coon', ['sunny', 'cream', 'maine', 'coon']],
    ['Björk, fawn rex rat', ['bjork', 'fawn', 'rex', 'rat']],
    ['Bjo\u0308rk BJÖRK bjork', ['bjork']],
    ["O'Malley (3-legged) nr. 42b", ['o', 'malley', '3', 'legged', 'nr', '42b']],
    ['Straße STRASSE', ['strasse']],
    ['ΟΔΟΣ οδός', ['οδοσ']],
    ['İzmir ırmak', ['izmir', 'irmak']],
    ['ﬁne ² Ⅷ ㎏', ['fine', '2', 'viii', 'kg']],
    ['猫ねこ cat猫', ['猫', 'ね', 'こ', 'cat']],
    ['แมวดำ', ['แ', 'ม', 'ว', 'ด', 'า']],
    ['חָתוּל قِطَّة', ['חתול', 'قطة']],
    ['한국 하나', ['한국'.normalize('NFKD'), '하나'.normalize('NFKD')]],
    ['🐕‍🦺 % * " _ \u0301', []],
    ['\u{10400}b', ['\u{10428}b']],
    [' ', []],
  ] as const)
    assert.deepEqual(wordsOf(text), words, text)
})

it('of a text 100 words count, and of a word 50 characters', () => {
  const many = Array.from({ length: 101 }, (_, index) => `w${index}`)
  assert.deepEqual(wordsOf(many.join(' ')), many.slice(0, 100))
  for (const letter of ['x', '\u{10428}']) {
    const long = letter.repeat(50)
    assert.deepEqual(wordsOf(`${long}a`), [long])
  }
})

it('the words of words are these words, for every character', () => {
  const step = amount({ quick: 997, full: 1 })
  for (let point = 0; point <= 0x10ffff; point += step) {
    const words = wordsOf(`a${String.fromCodePoint(point)}b`)
    assert.deepEqual(wordsOf(words.join(' ')), words, point.toString(16))
  }
})
