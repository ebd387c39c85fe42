import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Observer } from '../../src/http/observe.ts'
import { describeOperations } from '../../src/openapi/document.ts'
import { until } from '../harness/until.ts'
import { bodyMaxBytes, createRecord, fileBytes, inventedOperations } from './invented-operations.ts'
import { startInvented } from './start-invented.ts'
import { chunks, lastChunk } from './start-listening.ts'

const json = 'application/json; charset=utf-8'
const kinds = [
  ['GET', '/weather', 200, json, '[{"id":1,"sky":"rain"}]'],
  ['GET', '/weather/leeds', 200, json, '{"id":1,"sky":"rain in leeds"}'],
  ['POST', '/weather', 201, json, '{"id":2,"sky":"sun"}', '{"id":2,"sky":"sun"}'],
  ['DELETE', '/weather', 204, null, ''],
  ['GET', '/sky', 200, json, '{"id":1,"sky":"rain"}'],
  ['GET', '/weather.csv', 200, 'text/csv; charset=utf-8', 'id,sky\n1,rain\n'],
  ['GET', '/map', 200, 'image/png', String(fileBytes)],
  ['PUT', '/weather.csv', 200, json, '{"id":9,"sky":"text/csv"}', '2,sun\n3,s', 'text/csv'],
  ['PUT', '/map', 200, json, '{"id":3,"sky":"image/jpeg"}', 'abc', 'image/jpeg'],
] as const

it('200, 201, 204: an operation of each kind, whole and in chunks, and to HEAD without a body', async () => {
  const { ask, recorded } = await startInvented()

  for (const [method, path, status, type, text, body, sent = 'application/json'] of kinds) {
    const init = body === undefined ? {} : { body, headers: { 'content-type': sent } }
    const response = await ask(path, { method, ...init })
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), await response.text()],
      [status, type, text],
      `${method} ${path}`,
    )
    if (method !== 'GET') continue
    const before = recorded.opened
    const head = await ask(path, { method: 'HEAD' })
    assert.deepEqual(
      [head.status, head.headers.get('content-type'), await head.text(), recorded.opened],
      [status, type, '', before],
      `HEAD ${path}`,
    )
    assert.equal(head.headers.get('content-length'), response.headers.get('content-length'))
  }
  assert.equal((await ask('/weather/Leeds')).status, 400)
  assert.equal((await ask('/weather', { headers: { authorization: '' } })).status, 401)
})

const cuts = [
  ['listWeather', 'GET', '/weather', 'Accept: text/event-stream\r\n', 1],
  ['getSlowWeather', 'GET', '/weather.slow', '', 0],
  ['downloadWeather', 'GET', '/weather.tail', '', 1],
  ['getSlowMap', 'GET', '/map.slow', '', 1],
  ['replaceMap', 'PUT', '/map', 'Content-Type: image/png\r\nContent-Length: 9\r\n', 0],
] as const

it('a request of each kind is in progress until its end, once, also where its client leaves', async () => {
  const inProgress = new Set<object>()
  const ended: string[] = []
  const observer: Observer = {
    started: (request) => inProgress.add(request),
    ended(request) {
      assert.ok(inProgress.delete(request))
      ended.push(`${request.operation?.operationId}${request.isCut ? ' cut' : ''}`)
    },
  }
  const { ask, get, put, open, recorded } = await startInvented({}, [observer])

  for (const [method, path, , , , body, type = 'application/json'] of kinds) {
    const init = body === undefined ? {} : { body, headers: { 'content-type': type } }
    await (await ask(path, { method, ...init })).arrayBuffer()
    await until(() => inProgress.size === 0)
  }
  assert.deepEqual([ended.length, ended.filter((one) => one.endsWith(' cut'))], [kinds.length, []])

  for (const [operationId, method, path, headers, sources] of cuts) {
    Object.assign(recorded, { opened: 0, closed: 0 })
    const connection = await open()
    connection.send(method === 'GET' ? get(headers, `/v1${path}`) : put(path, headers, 'a'))
    await until(() => inProgress.size === 1 && recorded.opened === sources)
    await connection.reset()
    await until(() => inProgress.size === 0 && recorded.closed === sources)
    assert.equal(ended.at(-1), `${operationId} cut`)
  }
  assert.equal(ended.length, kinds.length + cuts.length)
})

it('the document describes each kind', () => {
  const operations = inventedOperations(createRecord()).map(({ operation }) => operation)
  const { paths } = describeOperations(operations, { baseUrl: '', keyDescription: '' }) as {
    paths: Record<string, Record<string, { responses: Record<string, { content: object }> }>>
  }

  const answersOf = (path: string) => paths[path]?.get?.responses ?? {}
  assert.deepEqual(Object.keys(answersOf('/weather.csv')[200]?.content ?? {}), [
    'text/csv; charset=utf-8',
  ])
  assert.deepEqual(Object.keys(answersOf('/map')[206]?.content ?? {}), ['image/png'])
  assert.ok(416 in answersOf('/map') && !(416 in answersOf('/weather.csv')))
})

it('200: a stream is compressed for a client that accepts it, unless it has no end', async () => {
  const { ask } = await startInvented()

  for (const coding of ['br', 'gzip']) {
    const response = await ask('/weather.csv', { headers: { 'accept-encoding': coding } })
    assert.equal(response.headers.get('content-encoding'), coding)
    assert.equal(response.headers.get('vary'), 'Accept-Encoding')
    assert.equal(await response.text(), 'id,sky\n1,rain\n')
  }
  const leaving = new AbortController()
  const endless = await ask('/weather.events', { signal: leaving.signal })
  assert.equal(endless.headers.get('content-encoding'), null)
  leaving.abort()
})

it('206, 416: a range of a file, of which no more is read', async () => {
  const { ask, recorded } = await startInvented()
  const get = async (range: string, more = {}) => {
    const before = recorded.bytesRead
    const response = await ask('/map', { headers: { range, ...more } })
    const text = await response.text()
    const { status, headers } = response
    return [status, headers.get('content-range'), text, recorded.bytesRead - before]
  }

  assert.deepEqual(await get('bytes=2-4'), [206, 'bytes 2-4/10', '234', 3])
  assert.deepEqual(await get('bytes=7-'), [206, 'bytes 7-9/10', '789', 3])
  assert.deepEqual(await get('bytes=-4'), [206, 'bytes 6-9/10', '6789', 4])
  assert.deepEqual(await get('bytes=8-99'), [206, 'bytes 8-9/10', '89', 2])
  assert.deepEqual(await get('bytes=0-0', { 'if-range': '"map1"' }), [206, 'bytes 0-0/10', '0', 1])
  for (const [range, more] of [
    ['bytes=0-1', { 'if-range': '"map0"' }],
    ['bytes=0-1,3-4', {}],
    ['bytes=4-2', {}],
    ['lines=0-1', {}],
  ] as const) {
    assert.deepEqual(await get(range, more), [200, null, '0123456789', 10], range)
  }
  const [status, size, text, read] = await get('bytes=10-')
  assert.deepEqual([status, size, read], [416, 'bytes */10', 0])
  assert.equal(JSON.parse(String(text)).code, 'range_not_satisfiable')
  const known = await ask('/map', { headers: { 'if-none-match': '"map1"', range: 'bytes=0-1' } })
  assert.deepEqual([known.status, await known.text()], [304, ''])
})

it('500: a source that fails; broken off and logged once a part of it was sent', async () => {
  const { ask, logLines } = await startInvented()

  const early = await ask('/lost-map', { headers: { 'accept-encoding': 'gzip' } })
  assert.deepEqual([early.status, early.headers.get('content-encoding')], [500, null])
  assert.equal(((await early.json()) as { code: string }).code, 'internal_error')

  const late = await ask('/lost-map?sent=3', { headers: { 'accept-encoding': 'identity' } })
  assert.equal(late.status, 200)
  await assert.rejects(late.text())
  const errors = logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
  assert.deepEqual(
    errors.map(({ err }) => err.message),
    ['The map is lost.', 'The map is lost.'],
  )
})

it('413, 415: a body is not read beyond its size, and one of another type not at all', async () => {
  const { open, put, recorded } = await startInvented()
  async function exchange(bytes: string) {
    await using connection = await open()
    connection.send(bytes)
    return (await connection.receive()) ?? assert.fail('no answer')
  }
  const csv = 'Content-Type: text/csv\r\n'
  const chunked = 'Transfer-Encoding: chunked\r\n'

  const announced = await exchange(put('/weather.csv', `${csv}Content-Length: 100001\r\n`, ''))
  const other = await exchange(put('/weather.csv', `Content-Type: image/png\r\n${chunked}`, ''))
  assert.deepEqual([announced.status, other.status, recorded.received], [413, 415, 0])

  const most = chunks('a'.repeat(bodyMaxBytes))
  const full = await exchange(put('/weather.csv', csv + chunked, most + lastChunk))
  assert.deepEqual([full.status, recorded.received], [200, bodyMaxBytes])

  recorded.received = 0
  const beyond = await exchange(put('/weather.csv', csv + chunked, most + chunks('b')))
  assert.deepEqual([beyond.status, recorded.received], [413, 0])
})
