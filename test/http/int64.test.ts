import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { expectError, startApp } from '../harness/app.ts'
import { amount, itInFull } from '../harness/extent.ts'

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const isInt64 = (value: bigint) => value >= int64Min && value <= int64Max

const bodyWith = (categoryId: string) => `{"name":"Rex","categoryId":${categoryId}}`

/** Texts of JSON numbers, and the int64 of each, or `undefined` when it is none. */
const numbers: [text: string, value: bigint | undefined][] = [
  ['9223372036854775807', int64Max],
  ['9223372036854775808', undefined],
  ['-9223372036854775808', int64Min],
  ['-9223372036854775809', undefined],
  ['9007199254740991', 9007199254740991n],
  ['9007199254740993', 9007199254740993n],
  ['9007199254740993.0', 9007199254740993n],
  ['9007199254740993.5', undefined],
  ['9.223372036854775807e18', int64Max],
  ['9.223372036854775808e18', undefined],
  ['9223372036854775.807E+3', int64Max],
  ['1.0', 1n],
  ['1e2', 100n],
  ['100e-2', 1n],
  ['1e19', undefined],
  ['1e-2', undefined],
  ['1.5', undefined],
  ['1.0000000000000001', undefined],
  ['-0', 0n],
  ['-0e-999999', 0n],
  ['0.000e99999999999999999999', 0n],
  ['1e400', undefined],
  ['5e-324', undefined],
  ['1e99999999999999999999', undefined],
  ['1e-99999999999999999999', undefined],
  [`1${'0'.repeat(9_999)}`, undefined],
  [`-${'9'.repeat(10_000)}`, undefined],
  [`1${'0'.repeat(9_999)}e-9999`, 1n],
  [`7.${'0'.repeat(10_000)}`, 7n],
  [`0.${'0'.repeat(9_999)}7e10000`, 7n],
]

it('201 or 400 invalid_body: a number in a body is exactly an int64, or is refused', async () => {
  const { api } = await startApp()
  let stored = 0

  for (const [text, value] of numbers) {
    const response = await api.send('POST', '/v1/pets', { rawBody: bodyWith(text) })

    const shown = text.slice(0, 40)
    if (value === undefined) {
      expectError(response, 400, 'invalid_body')
      assert.match(response.text, /categoryId must be an integer/)
    } else {
      stored += 1
      const pet = `{"id":${stored},"name":"Rex","categoryId":${value}}`
      assert.equal(response.text, pet, shown)
      assert.equal((await api.get(`/v1/pets/${stored}`)).text, pet, shown)
    }
  }

  const list = JSON.parse((await api.get('/v1/pets?limit=100')).text)
  assert.equal(list.length, stored, 'what is refused is not stored')
})

const integers = fc.oneof(
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }),
  fc
    .tuple(
      fc.constantFrom(0n, 2n ** 53n, -(2n ** 53n), int64Max, int64Min, 10n ** 18n, 10n ** 15n),
      fc.bigInt({ min: -3n, max: 3n }),
    )
    .map(([base, offset]) => base + offset),
  fc
    .tuple(fc.bigInt({ min: -99n, max: 99n }), fc.nat({ max: 40 }))
    .map(([digits, zeros]) => digits * 10n ** BigInt(zeros)),
)

/** Notations of an integer: more zeros, a decimal point and an exponent. */
const notations = fc.record({
  zeros: fc.nat({ max: 25 }),
  point: fc.nat({ max: 30 }),
  e: fc.constantFrom('e', 'E'),
  plus: fc.constantFrom('', '+'),
  padding: fc.constantFrom('', '0', '000'),
  hasExponent: fc.boolean(),
})
type Notation = Parameters<Parameters<typeof notations.map>[0]>[0]

function write(value: bigint, { zeros, point, e, plus, padding, hasExponent }: Notation): string {
  const sign = value < 0n ? '-' : ''
  const digits = `${value < 0n ? -value : value}${'0'.repeat(zeros)}`.padStart(point + 1, '0')
  const whole = digits.slice(0, digits.length - point).replace(/^0+(?=\d)/, '')
  const fraction = digits.slice(digits.length - point)
  const exponent = point - zeros
  const exponentText = `${e}${exponent < 0 ? '-' : plus}${padding}${Math.abs(exponent)}`
  return `${sign}${whole}${fraction && '.'}${fraction}${exponent !== 0 || hasExponent ? exponentText : ''}`
}

it('201 or 400: an integer in any notation keeps every digit, or is refused', async () => {
  const { api } = await startApp()

  await fc.assert(
    fc.asyncProperty(integers, notations, async (value, notation) => {
      const text = write(value, notation)
      const response = await api.send('POST', '/v1/pets', { rawBody: bodyWith(text) })

      if (!isInt64(value)) return expectError(response, 400, 'invalid_body')
      assert.equal(response.status, 201, text)
      const [, id, categoryId] = /"id":(\d+),.*"categoryId":(-?\d+)/.exec(response.text) ?? []
      assert.equal(categoryId, String(value), text)
      assert.equal((await api.get(`/v1/pets/${id}`)).text, response.text)
      const filtered = await api.get(`/v1/pets?categoryId=${value}&id=${id}`)
      assert.equal(filtered.text, `[${response.text}]`)
    }),
    { numRuns: amount({ quick: 20, full: 250 }) },
  )
})

it('400: a number that is not an integer is refused, however close it is to one', async () => {
  const { api } = await startApp()

  await fc.assert(
    fc.asyncProperty(
      integers,
      fc.nat({ max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat({ max: 40 }),
      async (value, zeros, last, shift) => {
        const exponent = shift <= zeros ? `e${shift}` : ''
        const text = `${value}.${'0'.repeat(zeros)}${last}${exponent}`
        const response = await api.send('POST', '/v1/pets', { rawBody: bodyWith(text) })
        expectError(response, 400, 'invalid_body')
      },
    ),
    { numRuns: amount({ quick: 12, full: 150 }) },
  )
  assert.equal((await api.get('/v1/pets')).text, '[]')
})

it('201: the last of equal members counts, however the name is escaped', async () => {
  const { api } = await startApp()
  const big = '9007199254740993'

  for (const [text, categoryId] of [
    [`{"name":"Rex","categoryId":1,"categoryId":${big}}`, big],
    [`{"name":"Rex","categoryId":${big},"categoryId":1}`, '1'],
    [`{"name":"Rex","categoryId":1,"category\\u0049d" :\n${big}}`, big],
    [`{"name":"Rex","category\\u0049d":"x","categoryId":${big}.0}`, big],
    [`{"a":{"categoryId":1},"categoryId":${big},"b":[{"categoryId":2}]}`, big],
    [`{"a":"\\",\\"categoryId\\":1","categoryId":${big},"b":"\\\\"}`, big],
    [`{"__proto__":1e2,"categoryId":${big},"__proto__":${big}}`, big],
    [`{"constructor":1e2,"categoryId":${big},"":${big}}`, big],
  ] as const) {
    const rawBody = text.includes('"name"') ? text : text.replace('{', '{"name":"Rex",')
    const response = await api.send('POST', '/v1/pets', { rawBody })
    assert.equal(response.status, 201, `${text} ${response.text}`)
    assert.equal(/"categoryId":(-?\d+)/.exec(response.text)?.[1], categoryId, text)
  }
  const last = `{"name":"Rex","categoryId":${big},"categoryId":"x"}`
  expectError(await api.send('POST', '/v1/pets', { rawBody: last }), 400, 'invalid_body')
})

itInFull(
  '400: a body full of numbers with exponents is refused as quickly as one without',
  async () => {
    const { api } = await startApp()
    const refusalMs = async (rawBody: string) => {
      const before = process.cpuUsage()
      expectError(await api.send('POST', '/v1/pets', { rawBody }), 400, 'invalid_body')
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }

    for (const item of ['', ',{}', ',1', ',1e1', ',""']) {
      const items = item.repeat(Math.floor(64_000 / Math.max(item.length, 1)))
      const [exponents, plain] = [`[1e1${items}]`, `[100${items.replaceAll('1e1', '100')}]`]
      const spent = { exponents: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY }
      for (let round = 0; round < 10; round++) {
        spent.exponents = Math.min(spent.exponents, await refusalMs(exponents))
        spent.plain = Math.min(spent.plain, await refusalMs(plain))
      }
      // With a reviver, which is called for each value, ten times as much.
      assert.ok(spent.exponents < 5 * spent.plain + 2, `${item}: ${JSON.stringify(spent)}`)
    }
  },
)
