import assert from 'node:assert/strict'
import { it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expectError, startApp, type TestApp } from '../../test/harness/app.ts'

const transferMaxBytes = 40 * 1024

async function get({ server }: TestApp, acceptEncoding: string | undefined, more = {}) {
  const coding = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
  const response = await server.inject({ url: '/openapi.json', headers: { ...coding, ...more } })
  const { 'content-encoding': sent = 'identity', etag = '', vary } = response.headers
  return { status: response.statusCode, sent: String(sent), etag, vary, bytes: response.rawPayload }
}

it('200, 304: the document in the coding that the client ranks highest, each with its own tag', async () => {
  const app = await startApp()
  const plain = await get(app, undefined)
  const gzipped = await get(app, 'gzip')
  const brotli = await get(app, 'gzip, deflate, br')

  assert.deepEqual([plain.sent, gzipped.sent, brotli.sent], ['identity', 'gzip', 'br'])
  assert.deepEqual(gunzipSync(gzipped.bytes), plain.bytes)
  assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
  for (const { bytes } of [gzipped, brotli]) assert.ok(bytes.length < transferMaxBytes)
  for (const [accepted, sent] of [
    ['', 'identity'],
    ['*', 'br'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0', 'identity'],
    ['compress, deflate', 'identity'],
    ['GZIP', 'gzip'],
  ] as const) {
    assert.equal((await get(app, accepted)).sent, sent, accepted)
  }
  assert.equal(new Set([plain, gzipped, brotli].map(({ etag }) => etag)).size, 3)
  for (const { sent, etag } of [plain, gzipped, brotli]) {
    const again = await get(app, sent, { 'if-none-match': `"other", ${etag}` })
    assert.deepEqual([again.status, again.bytes.length, again.etag], [304, 0, etag])
  }
  assert.equal((await get(app, 'br', { 'if-none-match': plain.etag })).status, 200)
})

for (const path of ['/openapi.json', '/arazzo.json']) {
  it(`200, 304: ${path}, below the base address too, and for HEAD`, async () => {
    const { api } = await startApp()
    const { headers } = await api.get(`/v1${path}`, { key: null })
    const known = { 'if-none-match': headers.etag ?? '' }

    for (const method of ['GET', 'HEAD']) {
      const full = await api.send(method, `/v1${path}`)
      const same = await api.send(method, path, { headers: known })

      assert.equal(full.headers['content-length'], headers['content-length'])
      assert.equal(full.headers['cache-control'], 'private, no-cache')
      assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', headers.etag])
    }
  })

  it(`206, 416: a range of the bytes of ${path}, in the coding of the response`, async () => {
    const { api } = await startApp()
    const headers = { range: 'bytes=0-9', 'accept-encoding': 'gzip' }

    const part = await api.get(`/v1${path}`, { headers })
    const beyond = await api.get(`/v1${path}`, { headers: { range: 'bytes=9999999-' } })

    assert.equal(part.status, 206)
    assert.match(part.headers['content-range'] ?? '', /^bytes 0-9\/\d+$/)
    assert.deepEqual(
      [part.headers['content-length'], part.headers['content-encoding']],
      ['10', 'gzip'],
    )
    expectError(beyond, 416, 'range_not_satisfiable')
    assert.match(beyond.headers['content-range'] ?? '', /^bytes \*\/\d+$/)
  })
}

it('200: Vary tells caches which request headers the response depends on', async () => {
  const origin = 'https://shop.example.com'
  const everyone = await startApp()
  const some = await startApp({ settings: { PETSTORE_CORS_ORIGINS: origin } })

  assert.equal((await get(everyone, 'br')).vary, 'Accept-Encoding')
  assert.equal((await get(some, 'br', { origin })).vary, 'Origin, Accept-Encoding')
})
