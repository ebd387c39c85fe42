import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '../../src/app/operations.ts'
import { pageParameters } from '../../src/contract/schemas.ts'
import type { RawConnection } from '../harness/raw-http.ts'
import { startListening } from './start-listening.ts'

/** About as much as the service reads of a header block, and of a body. */
const headersSize = 15_800
const bodySize = 65_500

/** Shorter times are not compared: their noise is larger than their growth. */
const comparedMinMs = 2
/** Twice the length may take twice the time; backtracking takes four times as much, or more. */
const ratioMax = 3
const triesMin = 6
/** Other work makes some measurements slower; the fastest of many is what the request costs. */
const spentMinMs = 1_000

/** Texts that make expressions backtrack: the beginning of a match, repeated. */
const units = [
  ...[' ', '\t', ',', ';', '"', '\\', '[', '{', '=', '%', '0', 'a', '*', '/', '\xe9'],
  ...['\\"', ' ,', '"a",', 'W/"a" ,', 'a=b;', '1e', '%41'],
]

/** A text of about this size: its start, a repeated unit, and an end that makes the match fail. */
function filled(start: string, unit: string, size: number, end = 'x'): string {
  return start + unit.repeat((size - start.length - end.length) / unit.length) + end
}

/** Where a client can write free text. `write` makes the request whose value has that size. */
type InputPlace = { name: string; write(unit: string, size: number): string }

type App = Awaited<ReturnType<typeof startListening>>

/** How each header's value starts, and in which requests it is sent where not in all. */
const headers: Record<string, { starts: string[]; lines?: string[] }> = {
  accept: {
    starts: ['application/problem+json', 'application/json;q=0.5,application/problem+json,'],
    lines: ['GET /v1/pets?limit=0'],
  },
  'accept-encoding': { starts: ['gzip', 'br,'], lines: ['GET /docs', 'GET /openapi.json'] },
  'access-control-request-method': { starts: ['GET'], lines: ['OPTIONS /v1/pets'] },
  authorization: { starts: ['Bearer ', 'Bearer pet_test_'] },
  'content-encoding': { starts: ['identity'] },
  'content-type': {
    starts: ['application/json', 'application/json; charset=', 'application/json; x="'],
  },
  expect: { starts: ['100-continue', '100-continue,'] },
  host: { starts: ['a:', '[::1]'] },
  'idempotency-key': { starts: ['"', '"a"'], lines: ['POST /v1/pets'] },
  'if-match': { starts: ['"a"', '"a",', 'W/"a",', '*'], lines: ['DELETE /v1/pets/1'] },
  'if-none-match': { starts: ['"a",', '*'], lines: ['GET /v1/pets/1', 'GET /docs'] },
  origin: { starts: ['https://a.test'], lines: ['GET /v1/pets', 'OPTIONS /v1/pets'] },
  prefer: { starts: ['count', 'count=exact', 'a="'], lines: ['GET /v1/pets'] },
  'transfer-encoding': { starts: ['chunked', 'chunked,'] },
  'x-request-id': { starts: ['pet_test_'] },
  'x-unknown': { starts: [] },
}

function headerPlaces({ key }: App): InputPlace[] {
  return Object.entries(headers).flatMap(([name, { starts, lines = ['PATCH /v1/pets/1'] }]) =>
    lines.flatMap((line) =>
      ['', ...starts].map((start) => ({
        name: `${name}: ${start}, ${line}`,
        write(unit: string, size: number) {
          const sent = { host: 'a', authorization: `Bearer ${key}` }
          const all = Object.entries({ ...sent, [name]: filled(start, unit, size) })
          return `${line} HTTP/1.1\r\n${all.map((one) => `${one.join(': ')}\r\n`).join('')}\r\n`
        },
      })),
    ),
  )
}

function targetPlaces({ get }: App): InputPlace[] {
  const parameters = operations.flatMap(({ operation: { path, query } }) =>
    Object.keys(query?.properties ?? {}).map((name) => `${path}?limit=0&${name}=`),
  )
  const shared = ['unknown', ...Object.keys(pageParameters.properties)].map(
    (name) => `/pets?${name}=`,
  )
  const ids = ['/pets/', '/store/orders/', '/nothing/', '/pets?id=1&', '/pets?']
  const starts = [...parameters, ...shared, ...ids].flatMap((start) => [start, `${start}1`])
  const places = [...starts.map((start) => `/v1${start}`), 'http://', 'http://a/v1/pets?'].map(
    (start) => ({
      name: start,
      write: (unit: string, size: number) => get('', filled(start, encodeURIComponent(unit), size)),
    }),
  )
  return [
    ...places,
    {
      name: 'many parameters',
      write: (unit, size) => get('', filled('/v1/pets?', `id=${encodeURIComponent(unit)}&`, size)),
    },
    {
      name: 'a path as it is',
      write: (unit, size) => get('', filled('/', unit.replace(/[ \t\xe9]/g, '!'), size)),
    },
  ]
}

function bodyPlaces({ key }: App): InputPlace[] {
  const place = (method: string, path: string, start: string, end?: string): InputPlace => ({
    name: `${method} ${path}: ${start}`,
    write(unit, size) {
      const body = filled(start, unit, size, end)
      const length = `Content-Length: ${body.length}\r\n`
      return `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${length}\r\n${body}`
    },
  })
  const starts = ['', '[', '{', '"', '{"name":', '{"name":"Rex","categoryId":']
  const members = operations.flatMap(({ operation: { method, path, body } }) =>
    Object.entries(
      (body as { properties?: Record<string, { pattern?: string }> })?.properties ?? {},
    )
      .filter(([, { pattern }]) => pattern !== undefined)
      .map(([member]) =>
        place(method, `/v1${path.replace(/\{\w+\}/, '1')}`, `{"${member}":"`, 'x"}'),
      ),
  )
  return [
    ...starts.map((start) => place('POST', '/v1/pets', start)),
    place('POST', '/v1/pets', '{"name":"Rex","categoryId":1', '1}'),
    ...members,
  ]
}

/** Processor time of this thread, which client and service share. */
function processorMs(): number {
  // Only this call makes the kernel count what the thread has used since its last pause.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Fails when a request takes `ratioMax` times the processor time of one half as large, or more. */
async function expectLinearTime(app: App, places: InputPlace[], size: number): Promise<void> {
  let connection: RawConnection | undefined

  async function costMs(request: string): Promise<number> {
    const bytes = Buffer.from(request, 'latin1')
    connection ??= await app.open()
    const startMs = processorMs()
    connection.send(bytes)
    const answer = await connection.receive()
    const ms = processorMs() - startMs
    assert.ok(answer && ![413, 431, 500, 503].includes(answer.status), JSON.stringify(answer))
    if (answer.headers.connection === 'close') {
      await connection[Symbol.asyncDispose]()
      connection = undefined
    }
    return ms
  }

  async function compare({ name, write }: InputPlace, unit: string): Promise<void> {
    const [half, whole] = [write(unit, size / 2), write(unit, size)]
    let wholeMs = await costMs(whole)
    let halfMs = Number.POSITIVE_INFINITY
    let spentMs = 0
    for (let tries = 0; wholeMs > comparedMinMs; tries++) {
      const [againHalfMs, againMs] = [await costMs(half), await costMs(whole)]
      halfMs = Math.min(halfMs, againHalfMs)
      wholeMs = Math.min(wholeMs, againMs)
      if (wholeMs < ratioMax * halfMs) return
      spentMs += againHalfMs + againMs
      const isSettled = tries >= triesMin && spentMs > spentMinMs
      assert.ok(!isSettled, `${name}${unit}…: ${wholeMs} ms, half of it ${halfMs} ms`)
    }
  }

  for (const place of places) {
    for (const unit of units) await compare(place, unit)
  }
  await connection?.[Symbol.asyncDispose]()
}

it('no header takes more than linear time', async () => {
  const app = await startListening({ PETSTORE_CORS_ORIGINS: 'https://a.test' })
  await app.api.createPet()

  await expectLinearTime(app, headerPlaces(app), headersSize)
})

it('no query, and no path, takes more than linear time', async () => {
  const app = await startListening()

  await expectLinearTime(app, targetPlaces(app), headersSize)
})

it('no body takes more than linear time', async () => {
  const app = await startListening()
  await app.api.createPet()

  await expectLinearTime(app, bodyPlaces(app), bodySize)
})
