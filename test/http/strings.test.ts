import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../harness/any-code-point.ts'
import { aPet, expectError, startApp } from '../harness/app.ts'
import { amount } from '../harness/extent.ts'

/** Names that the interface's schema (1.0.0, section 2) allows and the service refuses: the complete list. */
export const nameRefusals: Record<string, (name: string) => boolean> = {
  'it is blank': (name) => /^\s*$/u.test(name),
  'it has more than 1,000 code points': (name) => [...name].length > 1_000,
  'it has a control character': (name) => /\p{Cc}/u.test(name),
  'it has a lone surrogate': (name) => !name.isWellFormed(),
}

const isRefused = (name: string) => Object.values(nameRefusals).some((applies) => applies(name))

/** JSON in ASCII alone, which can represent every string. */
const escaped = (text: string) =>
  JSON.stringify(text).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const codePoints = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 3, arbitrary: fc.string({ unit: anyCodePoint, maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...'\0\t\n\x1f\x7f\x80\x85\x9f', '\ud800', '\udfff', '\udc00\ud800'),
  },
  { weight: 2, arbitrary: fc.constantFrom(...' \u00a0\u1680\u2003\u2028\u2029\u202f\u3000\ufeff') },
  { weight: 1, arbitrary: fc.constantFrom('A\u030a', '\u00c5', '\u212b', '\ufb01', '\u200b') },
)
const names = fc.oneof(
  { weight: 9, arbitrary: fc.array(codePoints, { maxLength: 5 }).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', '\u{1F436}', ' ', '\u0301'), fc.integer({ min: 998, max: 1_002 }))
      .map(([unit, times]) => unit.repeat(times)),
  },
)

const newPets = fc.record(
  {
    name: names,
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom('available', 'pending', 'sold'),
  },
  { requiredKeys: ['name', 'categoryId'] },
)

it('201: every NewPet of the interface is stored and read back unchanged, except refused names', async () => {
  const { api } = await startApp()

  await fc.assert(
    fc.asyncProperty(newPets, fc.boolean(), async ({ name, categoryId, status }, isAscii) => {
      const nameText = isAscii || !name.isWellFormed() ? escaped(name) : JSON.stringify(name)
      const statusText = status === undefined ? '' : `,"status":"${status}"`
      const rawBody = `{"name":${nameText},"categoryId":${categoryId}${statusText}}`

      const response = await api.send('POST', '/v1/pets', { rawBody })

      if (isRefused(name)) return expectError(response, 400, 'invalid_body')
      assert.equal(response.status, 201, response.text)
      const { id } = response.json() as { id: number }
      const read = await api.get(`/v1/pets/${id}`)
      assert.equal(read.text, response.text)
      const expected = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${statusText}}`
      assert.equal(read.text, expected)
    }),
    { numRuns: amount({ quick: 15, full: 400 }) },
  )
})

it('400: each forbidden name is refused, and the message says what is allowed', async () => {
  const { api } = await startApp()
  const examples: Record<keyof typeof nameRefusals, string[]> = {
    'it is blank': ['', ' ', '\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'],
    'it has more than 1,000 code points': ['a'.repeat(1_001), '\u{1F436}'.repeat(1_001)],
    'it has a control character': Array.from({ length: 0xa0 }, (_, code) =>
      String.fromCharCode(code),
    )
      .filter((character) => /\p{Cc}/u.test(character))
      .map((character) => `Re${character}x`),
    'it has a lone surrogate': ['\ud83d', 'Rex\udc36', '\udc36\ud83d', '\ud83d\ud83d\udc36'],
  }
  assert.deepEqual(Object.keys(examples), Object.keys(nameRefusals))

  for (const name of Object.values(examples).flat()) {
    const response = await api.send('POST', '/v1/pets', {
      rawBody: `{"name":${escaped(name)},"categoryId":7}`,
    })
    expectError(response, 400, 'invalid_body')
    assert.match(response.text, /name must be a string of 1 to 1000 characters/)
    assert.ok(JSON.parse(response.text).message.isWellFormed())
  }
  assert.equal((await api.get('/v1/pets')).text, '[]')
})

it('201: 1,000 code points beyond 16 bits, and names that only look blank', async () => {
  const { api } = await startApp()

  for (const name of ['\u{1F436}'.repeat(1_000), '\u200b', '\u2800', '\u3164', ' . ', '\ufffd']) {
    assert.equal((await api.createPet({ name })).name, name)
  }
})

it('400 invalid_json: raw control characters, in a string and between tokens', async () => {
  const { api } = await startApp()

  for (let code = 0; code < 0x20; code++) {
    const character = String.fromCharCode(code)
    const within = await api.send('POST', '/v1/pets', {
      rawBody: `{"name":"Re${character}x","categoryId":7}`,
    })
    expectError(within, 400, 'invalid_json')
    const between = await api.send('POST', '/v1/pets', {
      rawBody: `{"name":${character}"Rex","categoryId":7}`,
    })
    if (/[\t\n\r]/.test(character)) assert.equal(between.status, 201)
    else expectError(between, 400, 'invalid_json')
  }
})

const brokenUtf8: Record<string, number[]> = {
  'a byte that never stands in UTF-8': [0xff],
  'a continuation alone': [0x80],
  'two bytes, overlong': [0xc0, 0xaf],
  'three bytes, overlong': [0xe0, 0x80, 0xaf],
  'four bytes, overlong': [0xf0, 0x80, 0x80, 0xaf],
  'an overlong NUL': [0xc0, 0x80],
  'truncated after one byte of two': [0xc3],
  'truncated after two bytes of three': [0xe2, 0x82],
  'truncated after three bytes of four': [0xf0, 0x9f, 0x90],
  'a surrogate': [0xed, 0xa0, 0x80],
  'a pair of surrogates (CESU-8)': [0xed, 0xa0, 0xbd, 0xed, 0xb0, 0xb6],
  'beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'five bytes': [0xf8, 0x88, 0x80, 0x80, 0x80],
  'a beginning like that of U+FFFD': [0xef, 0xbf],
  'Latin-1': [0xe9],
}

it('400 invalid_json: bytes that are not UTF-8, with their position', async () => {
  const { api } = await startApp()

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(brokenUtf8)),
      fc.string({
        unit: fc.constantFrom('a', 'é', '€', '\u{1F436}', '\ufffd', '\n'),
        maxLength: 9,
      }),
      async (kind, before) => {
        const bytes = Buffer.from(brokenUtf8[kind] ?? [])
        const rawBody = Buffer.concat([Buffer.from(`{"x":"${before}`), bytes, Buffer.from('"}')])

        const response = await api.send('POST', '/v1/pets', { rawBody })

        expectError(response, 400, 'invalid_json')
        const lines = `{"x":"${before}`.split('\n')
        const place = `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}.`
        assert.ok(
          response.text.includes(`not valid UTF-8 at ${place}`),
          `${kind}: ${response.text}`,
        )
      },
    ),
    { numRuns: amount({ quick: 15, full: 150 }) },
  )
})

it('201: a leading byte order mark is skipped; 400 for one anywhere else, and for UTF-16', async () => {
  const { api } = await startApp()
  const body = JSON.stringify(aPet())

  assert.equal((await api.send('POST', '/v1/pets', { rawBody: `\ufeff${body}` })).status, 201)
  const refused = [`\ufeff\ufeff${body}`, `${body}\ufeff`, Buffer.from(`\ufeff${body}`, 'utf16le')]
  for (const rawBody of refused) {
    expectError(await api.send('POST', '/v1/pets', { rawBody }), 400, 'invalid_json')
  }
})

it('400: a name as long as the body allows is refused as quickly as others', async () => {
  const { api } = await startApp()
  const before = process.cpuUsage()

  for (const name of ['a', ' ', ' a', '\\u0001', '\\u00e9'].map((unit) =>
    unit.repeat(Math.floor(65_000 / unit.length)),
  )) {
    for (const rawBody of [`{"name":"${name}\\u0001","categoryId":7}`, `{"name":"${name}`]) {
      const response = await api.send('POST', '/v1/pets', { rawBody })
      assert.equal(response.status, 400)
    }
  }

  // About 40 ms of processor time; quadratic time would take several seconds.
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 2_000_000, `${user + system} µs`)
})
