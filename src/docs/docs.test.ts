import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import type { Environment } from '../config/settings.ts'
import { registerDocs } from './docs.ts'
import type { DocsOf } from './get-key.ts'

describe('GET /docs', () => {
  it('200: the page, with a content security policy that allows nothing from other origins', async (t) => {
    const response = await startApp(t).inject('/docs')

    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(response.body, /href="openapi\.json"/)
    const policy = String(response.headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  })

  it('200: says how to get a key of this very store', async (t) => {
    const pageOf = async (environment: Environment, isInMemory: boolean) =>
      (await startApp(t, { environment, isInMemory }).inject('/docs')).body

    const production = await pageOf('production', false)
    const staging = await pageOf('staging', false)
    const inMemory = await pageOf('staging', true)

    assert.match(production, />bin\/petstore keys create --name me</)
    assert.match(staging, />bin\/petstore keys create --environment staging --name me</)
    assert.match(inMemory, /its key was shown when it\s+started/)
    assert.doesNotMatch(inMemory, /keys create|get-key-command/)
    for (const page of [production, staging, inMemory]) assert.doesNotMatch(page, /\{\{/)
  })

  it('200: every file that the page refers to', async (t) => {
    const app = startApp(t)
    const { body } = await app.inject('/docs')
    const names = [...body.matchAll(/(?:href|src)="(docs\/[^"]+)"/g)].map((match) =>
      String(match[1]),
    )
    assert.equal(new Set(names).size, 6)

    for (const name of names) {
      const response = await app.inject(`/${name}`)
      assert.equal(response.statusCode, 200, name)
      assert.equal(response.headers['x-content-type-options'], 'nosniff', name)
      assert.match(String(response.headers['content-type']), expectedType(name), name)
    }
  })

  it('200: the same bytes with gzip, with another ETag', async (t) => {
    const app = startApp(t)
    const get = (coding: string) =>
      app.inject({ url: '/docs/init.js', headers: { 'accept-encoding': coding } })

    const plain = await get('gzip;q=0, identity')
    const gzipped = await get('br;q=0.5, gzip')

    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(gzipped.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(gzipped.rawPayload), plain.rawPayload)
    assert.notEqual(plain.headers.etag, gzipped.headers.etag)
    for (const { headers } of [plain, gzipped]) assert.equal(headers.vary, 'Accept-Encoding')
  })

  it('304: the browser already has the file', async (t) => {
    const app = startApp(t)
    for (const url of ['/docs', '/docs/swagger-ui-bundle.js', '/docs/style.css']) {
      const etag = String((await app.inject(url)).headers.etag)
      assert.match(etag, /^"[\w-]+"$/)

      const same = await app.inject({ url, headers: { 'if-none-match': `"other", W/${etag}` } })
      const changed = await app.inject({ url, headers: { 'if-none-match': '"other"' } })

      assert.equal(same.statusCode, 304)
      assert.equal(same.body, '')
      assert.equal(changed.statusCode, 200)
    }
  })

  it('308: /docs/ redirects to /docs', async (t) => {
    const response = await startApp(t).inject('/docs/')

    assert.equal(response.statusCode, 308)
    assert.equal(response.headers.location, '../docs')
  })

  it('404: serves no other file', async (t) => {
    const app = startApp(t)
    for (const name of [
      'docs.ts',
      'index.html',
      'page/init.js',
      'swagger-ui.js',
      '%2e%2e/docs.ts',
    ]) {
      assert.equal((await app.inject(`/docs/${name}`)).statusCode, 404, name)
    }
  })
})

function startApp(
  t: TestContext,
  docsOf: DocsOf = { environment: 'production', isInMemory: false },
) {
  const app = Fastify()
  registerDocs(app, { documentUrl: 'openapi.json', ...docsOf })
  t.after(() => app.close())
  return app
}

function expectedType(name: string): RegExp {
  if (name.endsWith('.js')) return /^text\/javascript; charset=utf-8$/
  if (name.endsWith('.css')) return /^text\/css; charset=utf-8$/
  return /^image\/svg\+xml$/
}
