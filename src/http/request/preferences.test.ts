import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { parsePreferences } from './preferences.ts'

it('parses the known preferences as RFC 7240 defines them', () => {
  const cases: [string, boolean, boolean, boolean?][] = [
    ['', false, false],
    ['handling=strict', false, true],
    ['Handling = "STRICT"', false, true],
    ['handling="st\\rict"', false, true],
    ['count=exact, handling=strict', true, true],
    ['respond-async, wait=10, handling=strict; foo="a, b", return=minimal', false, true],
    ['foo="handling=strict"', false, false],
    ['foo; handling=strict', false, false],
    ['foo="a, handling=strict', false, false],
    ['handling', false, false],
    ['handling=""', false, false],
    ['handling=lenient, handling=strict', false, false],
    ['handling=strict, handling=lenient', false, true],
    ['handling=stricter', false, false],
    ['count=estimated, count=exact', false, false],
    [',, handling=strict ,', false, true],
    ['scopes, handling=strict', false, true, true],
    ['Scopes=""; foo=1', false, false, true],
    ['foo="scopes", foo; scopes', false, false],
  ]
  for (const [prefer, countsExactly, isStrict, wantsScopes = false] of cases) {
    const expected = { countsExactly, isStrict, wantsScopes }
    assert.deepEqual(parsePreferences(prefer), expected, prefer)
  }
})

it('finds a preference among others', () => {
  const token = fc.stringMatching(/^[a-z][a-z-]{0,8}$/).filter((one) => one !== 'handling')
  const quoted = fc
    .string({ unit: fc.constantFrom(',', ';', '=', 'a', ' ') })
    .map((one) => `"${one}"`)
  const word = fc.oneof(token, quoted)
  const other = fc.tuple(token, word, token, word).map(([a, b, c, d]) => `${a}=${b}; ${c}=${d}`)
  fc.assert(
    fc.property(fc.array(other), fc.array(other), (before, after) => {
      const prefer = [...before, 'handling=strict', ...after].join(', ')
      assert.equal(parsePreferences(prefer).isStrict, true)
    }),
  )
})
