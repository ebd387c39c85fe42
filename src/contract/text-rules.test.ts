import assert from 'node:assert/strict'
import { it } from 'node:test'
import { itInFull } from '../../test/harness/extent.ts'
import { compileCheck } from '../http/request/schema.ts'
import { namePrefix, text } from './schemas.ts'

/** The rules of the first release; a change would refuse strings that clients use. */
const firstName = /^[\p{Z}\ufeff]*[^\s\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]*$/u
const firstPrefix = /^[^\p{Cc}\p{Cs}]*$/u

const nameSchema = text({ max: 1000, description: 'A name.', examples: ['Sunny'] })
const prefixSchema = namePrefix('A prefix.')

function* codePoints(): Generator<string> {
  for (let point = 0; point <= 0x10ffff; point++) yield String.fromCodePoint(point)
}
const alone = (point: string) => [point]
const inContexts = (point: string) => [point, `x${point}`, ` ${point}`, `${point}x`]

for (const { schema, first, title, stringsWith } of [
  { schema: nameSchema, first: firstName, title: 'a name', stringsWith: inContexts },
  { schema: prefixSchema, first: firstPrefix, title: 'a prefix', stringsWith: alone },
]) {
  const { pattern = '' } = schema as { pattern?: string }

  itInFull(
    `the pattern of ${title} accepts the same strings as in the first release, with and without the flag u`,
    () => {
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]

      for (const point of codePoints()) {
        for (const string of stringsWith(point)) {
          // Lone surrogates are refused by the service's own check: no pattern can match them without the flag u.
          const isAccepted = first.test(string) || !string.isWellFormed()
          if (plain.test(string) !== isAccepted || unicode.test(string) !== isAccepted) {
            assert.fail(`${JSON.stringify(string)}: ${isAccepted} at first`)
          }
        }
      }
    },
  )

  it(`the check of ${title} also refuses lone surrogates`, () => {
    const check = compileCheck(schema, { locate: () => ({}), describe: ({ keyword }) => keyword })

    for (const string of ['\ud800', 'x\udc00', '\udbff x', '\udc00\ud800', 'x\ud83d']) {
      assert.equal(check(string).length, 1, JSON.stringify(string))
    }
    for (const string of ['\ud83d\udc15', 'x', '\ufdd0']) {
      assert.deepEqual(check(string), [], JSON.stringify(string))
    }
  })
}
