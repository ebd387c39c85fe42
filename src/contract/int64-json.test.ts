import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../test/harness/any-code-point.ts'
import { int64Max, int64Min } from './int64.ts'
import { decodeTagged, encodeTagged, parseJson, stringifyJson } from './int64-json.ts'

const canonical = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

const int64s = fc.oneof(
  fc.bigInt({ min: int64Min, max: int64Max }),
  fc
    .tuple(
      fc.constantFrom(0n, 2n ** 53n, -(2n ** 53n), int64Max - 3n, int64Min + 3n),
      fc.bigInt(-3n, 3n),
    )
    .map(([base, offset]) => base + offset),
)
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: anyCodePoint }),
    fc.constantFrom(true, false, null, '1e1', '\\"', 0.5, 1e-7, 1.5),
    int64s.map(canonical),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'id', '1')), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
})).value

it('any value is read again as it was written, its integers exact at any depth', () => {
  fc.assert(
    fc.property(values, (value) => {
      assert.deepEqual(parseJson(stringifyJson(value)), value)
      // With an exponent each text is read token by token.
      assert.deepEqual(parseJson(`\n[ 1e1 ,\t${stringifyJson(value)} \r]\n`), [10, value])
    }),
    { numRuns: 300 },
  )
})

it('an integer is a number where that is safe, else a bigint, in any notation', () => {
  for (const [text, value] of [
    ['8999999999999999', 8999999999999999],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['9.223372036854775807e18', int64Max],
    ['1e2', 100],
    ['100e-2', 1],
    ['-0.0e5', 0],
    ['1.5e0', 1.5],
    ['1234567890123.45', 1234567890123.45],
    ['1e-400', Number.NaN],
    ['1.0000000000000001', Number.NaN],
    ['9007199254740993.5', Number.NaN],
    ['1e400', Number.POSITIVE_INFINITY],
    [`-1${'0'.repeat(40)}`, Number.NEGATIVE_INFINITY],
  ] as const) {
    assert.deepEqual(parseJson(`{"a":[${text}]}`), { a: [value] }, text)
  }
})

it('of members with one name the last counts, and none is a prototype', () => {
  const text = '{"a":{"b":1e1},"a":2,"__proto__":{"c":9007199254740993}}'
  const parsed = parseJson(text) as Record<string, unknown>

  assert.deepEqual(Object.entries(parsed), [
    ['a', 2],
    ['__proto__', { c: 9007199254740993n }],
  ])
  assert.equal(parsed.c, undefined)
  assert.equal(stringifyJson(parsed), '{"a":2,"__proto__":{"c":9007199254740993}}')
})

it('a text that JSON.parse refuses is refused, and one that is nested deeply is read', () => {
  for (const text of ['', '{"a":1e1', '[1e]', '[01e1]', '{"a" 1e1}', '[1e1,]']) {
    assert.throws(() => parseJson(text), SyntaxError, text)
  }
  const deep = `${'['.repeat(30_000)}1e1${']'.repeat(30_000)}`
  assert.doesNotThrow(() => parseJson(deep))
})

it('a number that may have been rounded is not written', () => {
  for (const value of [2 ** 53, -(2 ** 53), 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => stringifyJson({ id: value }), RangeError)
    assert.throws(() => encodeTagged([value]), RangeError)
  }
  assert.equal(
    stringifyJson({ a: undefined, at: new Date(0), b: [undefined, 2n ** 53n] }),
    '{"at":"1970-01-01T00:00:00.000Z","b":[null,9007199254740992]}',
  )
})

it('the tagged form keeps whether an integer is a bigint', () => {
  const value = { id: 5n, quantity: 5, categoryId: int64Min, of: [{ petId: int64Max }] }

  assert.deepEqual(decodeTagged(encodeTagged(value)), value)
  // Stored responses and fingerprints of earlier versions have this form.
  assert.equal(encodeTagged([0n, 'Rex', undefined, 7]), '[{"int64":"0"},"Rex",null,7]')
})

/** The codec on an engine with this `JSON`. */
function codecOn(json: object): Record<'parseJson' | 'stringifyJson', (value: unknown) => unknown> {
  const path = new URL('./int64-json.ts', import.meta.url)
  const code = stripTypeScriptTypes(readFileSync(path, 'utf8')).replaceAll('export ', '')
  return new Function('JSON', `${code}\nreturn { parseJson, stringifyJson }`)(json)
}

it('an engine without access to the source of numbers reads and writes the same', () => {
  const codec = codecOn({
    stringify: JSON.stringify,
    parse: (text: string, reviver?: (key: string, value: unknown) => unknown) =>
      JSON.parse(text, reviver && ((key, value) => reviver(key, value))),
  })

  const text = '{"pets":[{"id":9223372036854775807}]}'
  assert.deepEqual(codec.parseJson(text), { pets: [{ id: int64Max }] })
  assert.equal(codec.stringifyJson(codec.parseJson(text)), text)
})
