import assert from 'node:assert/strict'
import { it } from 'node:test'
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
