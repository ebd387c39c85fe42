import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { prefixPattern, textPattern } from '../../src/contract/text-rules.ts'
import { startApp, type TestApi } from '../harness/app.ts'
import { instants, noInstants } from '../harness/instants.ts'
import { fillStore, requests } from '../harness/operations.ts'

type Schema = {
  $ref?: string
  format?: string
  pattern?: string
  type?: string
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
type Operation = {
  operationId: string
  parameters?: { in?: string; name: string; schema: Schema; $ref?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8'))
const operations = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods as Record<string, Operation>),
)

function resolve<T extends { $ref?: string }>(part: T): T {
  if (part.$ref === undefined) return part
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name], document)
}

/** The position of each value of a body that has a format or a pattern. */
function* positionsIn(schema: Schema, path: string[] = []): Generator<[string[], Schema]> {
  const { anyOf = [], items, properties = {}, ...own } = resolve(schema)
  if (own.format ?? own.pattern) yield [path, own]
  for (const part of anyOf) yield* positionsIn(part, path)
  if (items) yield* positionsIn(items, [...path, '0'])
  for (const [name, member] of Object.entries(properties))
    yield* positionsIn(member, [...path, name])
}

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

it('each format and pattern of a body admits what its standard does, and nothing else', async () => {
  const { api } = await startApp()
  await fillStore(api)
  let count = 0
  for (const { operationId, requestBody } of operations) {
    const { schema } = requestBody?.content['application/json'] ?? {}
    for (const [path, { format = '', pattern = '' }] of schema ? positionsIn(schema) : []) {
      const samples = ofBodies[format] ?? ofBodies[pattern]
      assert.ok(samples, `${operationId} /${path.join('/')}: no samples of ${format}${pattern}`)
      for (const value of samples.admitted)
        assert.notEqual(
          (await sendWith(api, operationId, path, value)).status,
          400,
          `${operationId} ${path}: ${value}`,
        )
      for (const value of samples.refused) {
        const { status, text } = await sendWith(api, operationId, path, value)
        assert.equal(status, 400, `${operationId} ${path}: ${value}`)
        assert.ok(text.includes(path.join('.')), text)
      }
      count += 1
    }
  }
  assert.ok(count > 20, `${count} positions`)
})

/** Sends a request that succeeds, with another value at a position of its body. */
async function sendWith(api: TestApi, operationId: string, path: string[], value: string) {
  const found = requests.find((request) => request.operationId === operationId)
  assert.ok(found, operationId)
  const marker = '<value>'
  const body = JSON.parse(JSON.stringify(found.body ?? {}))
  path.reduce((at, name, index) => {
    at[name] = index === path.length - 1 ? marker : (at[name] ?? {})
    return at[name]
  }, body)
  const rawBody = JSON.stringify(body).replace(JSON.stringify(marker), () => value)
  return await api.send(found.method, found.url, { rawBody })
}

const notText = ['', '%00a', 'a%0A', 'a%7F', 'a%C2%85', '%ED%A0%80', '%E9']

/** Percent-encoded. */
const ofQueries: Record<string, Samples> = {
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
  [textPattern]: {
    admitted: ['a', '%20a', '%C3%A9', 'a%E2%80%A8b', '%F0%9F%98%80'],
    refused: [...notText, '%20', '%C2%A0'],
  },
}

it('each format and pattern of a query admits what its standard does, and nothing else', async () => {
  const { api } = await startApp()
  await fillStore(api)
  let count = 0
  for (const { operationId, parameters = [] } of operations) {
    const found = requests.find((request) => request.operationId === operationId)
    for (const { in: where, name, schema } of parameters.map(resolve)) {
      const { format = '', pattern = '' } = schema.items ?? schema
      // A list ignores the position of the stream at its path, which has tests of its own.
      if (where !== 'query' || name === 'lastEventId') continue
      if (format + pattern === '' || !found) continue
      const samples = ofQueries[format] ?? ofQueries[pattern]
      assert.ok(samples, `${operationId} ${name}: no samples of ${format}${pattern}`)
      for (const [values, isAdmitted] of [
        [samples.admitted, true],
        [samples.refused, false],
      ] as const) {
        for (const value of values) {
          const { status } = await api.get(`${found.url}?${name}=${value}`)
          assert.equal(status !== 400, isAdmitted, `${operationId} ${name}=${value}: ${status}`)
        }
      }
      count += 1
    }
  }
  assert.ok(count > 20, `${count} parameters`)
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
