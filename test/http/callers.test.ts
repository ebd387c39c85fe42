import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../harness/until.ts'
import { startInvented } from './start-invented.ts'

/** Longer than any stop takes. */
const cutOffMs = 60_000
const weather = '{"id":2,"sky":"sun"}'
const kinds = [
  ['GET', '/weather', '', '', 200, '[{"id":1,"sky":"rain"}]'],
  ['POST', '/weather', 'Content-Type: application/json\r\n', weather, 201, weather],
  ['DELETE', '/weather', '', '', 204, ''],
  ['GET', '/weather.csv', '', '', 200, 'id,sky\n1,rain\n'],
  ['GET', '/weather.csv', 'Accept-Encoding: gzip\r\n', '', 200, 'id,sky\n1,rain\n'],
  ['GET', '/map', '', '', 200, '0123456789'],
  ['GET', '/map', 'Range: bytes=2-4\r\n', '', 206, '234'],
  ['PUT', '/weather.csv', 'Content-Type: text/csv\r\n', '2,sun', 200, '{"id":5,"sky":"text/csv"}'],
  ['GET', '/nothing', '', '', 404, undefined],
] as const

/** How proxies and clients that keep no connection begin and end the head of a request. */
const callers = {
  'HTTP/1.0 without Host, as old proxies send it': { version: '1.0', more: '' },
  'HTTP/1.0 with keep-alive': { version: '1.0', more: 'Connection: keep-alive\r\n' },
  'keep-alive off': { version: '1.1', more: 'Host: a\r\nConnection: close\r\n' },
} as const

for (const [caller, { version, more }] of Object.entries(callers)) {
  it(`${caller}: a response of each kind is whole, and its end is plain`, async () => {
    const { open, key, recorded, connections } = await startInvented()
    const keepsOpen = caller.endsWith('with keep-alive')
    const head = (method: string, path: string, headers: string) =>
      `${method} /v1${path} HTTP/${version}\r\nAuthorization: Bearer ${key}\r\n${more}${headers}`

    for (const [method, path, headers, body, status, text] of kinds) {
      const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
      await using connection = await open()
      connection.send(`${head(method, path, headers + length)}\r\n${body}`)
      const answer = await connection.receive(method)
      const what = `${method} ${path}`
      assert.equal(answer?.status, status, what)
      if (text !== undefined) assert.equal(answer?.text, text, what)
      if (version === '1.0') assert.equal(answer?.headers['transfer-encoding'], undefined, what)
      // A body without a length ends with its connection.
      if (keepsOpen && answer?.headers.connection === 'keep-alive') {
        connection.send(`${head('GET', '/sky', '')}\r\n`)
        assert.equal((await connection.receive())?.status, 200, what)
      } else assert.equal((await connection.ended()).length, 0, what)
    }

    recorded.opened = 0
    await using follower = await open()
    follower.send(`${head('GET', '/weather', 'Accept: text/event-stream\r\n')}\r\n`)
    await until(() => recorded.opened === 1)
    await connections.drain({ drainMs: 0, hurry: AbortSignal.abort(), cutOffMs })
    const stream = await follower.receive()
    assert.equal(stream?.text, 'id: 1\ndata: rain\n\nretry: 100\n\n')
    if (version === '1.0') assert.equal(stream?.headers['transfer-encoding'], undefined)
  })
}
