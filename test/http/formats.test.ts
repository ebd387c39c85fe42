import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { linesPattern, prefixPattern, textPattern } from '../../src/contract/text-rules.ts'
import { startApp, type TestApi } from '../harness/app.ts'
import { cases } from '../harness/extent.ts'
import { instants, noInstants } from '../harness/instants.ts'
import { fillStore, requests } from '../harness/operations.ts'

type Schema = {
  $ref?: string
  format?: string
  pattern?: string
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
type Operation = {
  operationId: string
  parameters?: { in?: string; name: string; schema: Schema; $ref?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Json = { [name: string]: Json }

const document = JSON.parse(readFileSync('openapi.json', 'utf8'))
const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) =>
  Object.values(methods),
)

function resolve<T extends { $ref?: string }>({ $ref, ...part }: T): T {
  const names = $ref?.split('/').slice(1) ?? []
  return names.length === 0 ? (part as T) : names.reduce((at, name) => at[name], document)
}

/** The path of each value of a body that has a format or a pattern. */
function* placesIn(schema: Schema, path: string[] = []): Generator<[string[], string]> {
  const { anyOf = [], items, properties = {}, format, pattern } = resolve(schema)
  const rule = format ?? pattern
  if (rule) yield [path, rule]
  for (const part of anyOf) yield* placesIn(part, path)
  if (items) yield* placesIn(items, [...path, '0'])
  for (const [name, member] of Object.entries(properties)) yield* placesIn(member, [...path, name])
}

// As the interface shows them.
const tagPattern = '^[^\\s|\\x00-\\x1F\\x7F-\\x9F]+$'
const amountPattern = '^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,4})?$'

/** What the standard of a format, or the words of a pattern, admit and refuse, as JSON. */
type Samples = { admitted: string[]; refused: string[] }
const texts = (...all: unknown[]) => all.map((text) => JSON.stringify(text))

const ofBodies: Record<string, Samples> = {
  // JSON Schema: a number without a fraction is an integer.
  int64: {
    admitted: ['1', '1.0', '1e0', '10e-1'],
    refused: ['"1"', '1.5', 'true', '9223372036854775808', '-9223372036854775809', '1e400'],
  },
  int32: {
    admitted: ['1', '1.0', '1e0', '10e-1'],
    refused: ['"1"', '1.5', 'true', '2147483648', '-1', '1e400'],
  },
  'date-time': {
    admitted: texts(...Object.keys(instants)),
    refused: [...texts(...noInstants), '1925078400000'],
  },
  date: {
    admitted: texts('2024-02-29', '2000-02-29', '0001-01-01'),
    refused: texts(
      '',
      '2023-02-29',
      '1900-02-29',
      '2024-2-29',
      '2024-02-30',
      '20240229',
      '2024-02-29T00:00:00Z',
      ' 2024-02-29',
      '9999-12-31',
    ),
  },
  // Of euros, which have two digits.
  [amountPattern]: {
    admitted: texts('0.00', '249.00', '999999999999999.99'),
    refused: [
      ...texts(
        '',
        '249',
        '249.0',
        '249.001',
        '-1.00',
        '-0.00',
        '1e2',
        '01.00',
        ' 1.00',
        '\uff11.00',
        '1,00',
        '1000000000000000.00',
      ),
      '249',
      '2.49',
    ],
  },
  [tagPattern]: {
    admitted: texts('a', '-', '\u00e9', '\ud83d\ude00', '+,"'),
    refused: [
      ...texts('', 'a b', 'a\u00a0b', 'a|b', '\u0000a', '\u2028', 'a\n', 'x'.repeat(41)),
      '"\\ud83d"',
      '7',
    ],
  },
  [linesPattern]: {
    admitted: texts('a', ' a\r\n\tb', '\u00e9', 'a\u2028'),
    refused: texts('', ' ', '\n', '\u0000a', 'a\u000b', 'a\u007f', 'a\u0085'),
  },
  [textPattern]: {
    admitted: ['"a"', '" a "', '"é"', '"a\\u2028b"', '"\\ud83d\\ude00"', '"\\ufeffa"', '"\\u200b"'],
    refused: [
      '""',
      '" "',
      '"\\u00a0"',
      '"a\\n"',
      '"\\u0000a"',
      '"a\\u007f"',
      '"a\\u0085"',
      '"\\ud83d"',
      '7',
    ],
  },
  // RFC 9110, section 8.8.3, and `*`.
  '^([*]|(W/)?"[!#-~\\x80-\\xFF]*")$': {
    admitted: texts('*', '""', '"a"', '"!#~\\"', '"\u00e9\u0080"', 'W/"a"'),
    refused: texts('', 'a', '"', '"a b"', '"a""', '"a", "b"', 'w/"a"', '"\u0100"', '"a"\n'),
  },
  // The characters of a URI (RFC 3986); with a scheme that is served.
  '^[!-~]+$': {
    admitted: texts('http://127.0.0.1:9/a?b=%20', 'http://[::1]:9', 'HTTP://127.0.0.1:9/'),
    refused: texts(
      '',
      '127.0.0.1:9',
      'ftp://127.0.0.1/',
      'http://127.0.0.1/a b',
      'http://bücher.example/',
      'http://',
    ),
  },
}

const noTag = ['', 'a%20b', 'a%C2%A0b', 'a%7Cb', '%00a', '%E2%80%A8']

const notText = ['', '%00a', 'a%0A', 'a%7F', 'a%C2%85', '%ED%A0%80', '%E9']

/** Percent-encoded. */
const ofQueries: Record<string, Samples> = {
  'date-time': {
    admitted: Object.keys(instants).map(encodeURIComponent),
    refused: noInstants.map(encodeURIComponent),
  },
  int64: {
    admitted: ['0', '1', '9223372036854775807'],
    refused: ['', '1.0', '1e0', '%2B1', '01', '0x1', '%201', '-0', '9223372036854775808'],
  },
  int32: {
    admitted: ['1', '100'],
    refused: ['', '1.0', '1e0', '%2B1', '01', '0x1', '%201', '2147483648', '-1'],
  },
  [prefixPattern]: {
    admitted: ['a', 'a%20b', '%C3%A9', 'a%E2%80%A8b', '1%F0%9F%98%80'],
    refused: notText,
  },
  [tagPattern]: {
    admitted: ['a', '-', '%C3%A9', '%F0%9F%98%80', '%2B%2C%22'],
    refused: noTag,
  },
  [textPattern]: {
    admitted: ['a', '%20a', '%C3%A9', 'a%E2%80%A8b', '%F0%9F%98%80'],
    refused: [...notText, '%20', '%C2%A0'],
  },
}

/** Each value of a request that has a format or a pattern, and how another is sent in its place. */
function* placesOf(api: TestApi) {
  for (const { operationId, method, url, body = {} } of requests) {
    const { parameters = [], requestBody } =
      operations.find((operation) => operation.operationId === operationId) ?? assert.fail()
    for (const { in: where, name, schema } of parameters.map(resolve)) {
      const { format, pattern } = schema.items ?? schema
      const rule = format ?? pattern
      // A list ignores the position of the stream at its path, which has tests of its own.
      if (where !== 'query' || name === 'lastEventId' || !rule) continue
      const send = (value: string) => api.get(`${url}?${name}=${value}`)
      yield { operationId, name, rule, samples: ofQueries[rule], send }
    }
    const { schema = {} } = requestBody?.content['application/json'] ?? {}
    for (const [path, rule] of placesIn(schema)) {
      const send = (value: string) => {
        const text = JSON.stringify(withMarker(body as Json, path))
        return api.send(method, url, { rawBody: text.replace(`"${marker}"`, () => value) })
      }
      yield { operationId, name: path.join('.'), rule, samples: ofBodies[rule], send }
    }
  }
}

const marker = '<value>'

function withMarker(part: Json | undefined, [name, ...path]: string[]): unknown {
  if (name === undefined) return marker
  const copy = Array.isArray(part) ? [...part] : { ...part }
  return Object.assign(copy, { [name]: withMarker(part?.[name], path) })
}

it('each format and pattern of a request admits what its standard does, and nothing else', async () => {
  const { api } = await startApp()
  await fillStore(api)
  const met = new Set<Samples>()
  let count = 0
  for (const { operationId, name, rule, samples, send } of placesOf(api)) {
    assert.ok(samples, `${operationId} ${name}: no samples of ${rule}`)
    // `npm test` sends all values to the first place of a rule, some to the others.
    const quickEvery = met.has(samples) ? 6 : 1
    for (const value of cases(samples.admitted, { quickEvery }))
      assert.notEqual((await send(value)).status, 400, `${operationId} ${name}: ${value}`)
    for (const value of cases(samples.refused, { quickEvery })) {
      const { status, text } = await send(value)
      assert.equal(status, 400, `${operationId} ${name}: ${value}`)
      assert.ok(text.includes(name), text)
    }
    met.add(samples)
    count += 1
  }
  assert.ok(count > 40, `${count} places`)
})

it('201: an instant is stored in milliseconds of UTC, whatever its form', async () => {
  const { api } = await startApp()
  for (const [expiresAt, stored] of Object.entries(instants)) {
    const response = await api.post('/v1/keys', { name: 'shop', expiresAt })
    assert.deepEqual(
      [response.status, response.json()],
      [201, { ...(response.json() as object), expiresAt: stored }],
    )
  }
})
