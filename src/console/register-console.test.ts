import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { errorKindOf } from '../contract/error-codes.ts'
import { ServiceError } from '../contract/service-error.ts'
import { registerConsole } from './register-console.ts'

const script = 'console.log(1)'

describe('GET /console', () => {
  it('200: the page, for each address of the console, with a policy that allows its own files alone', async (t) => {
    const { app } = start(t, { isBuilt: true })

    for (const url of ['/console/', '/console/pets', '/console/orders?order=7']) {
      const { statusCode, headers, body } = await app.inject(url)
      assert.equal(statusCode, 200, url)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-cache')
      assert.match(body, /<meta name="petstore-environment" content="staging">/)
      const policy = String(headers['content-security-policy'])
      assert.match(
        policy,
        /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; /,
      )
      assert.match(
        policy,
        /frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
      )
      assert.doesNotMatch(policy, /unsafe|https?:|data:|\*/)
    }
  })

  it('200: a file of the build for good, compressed as the browser takes it', async (t) => {
    const { app } = start(t, { isBuilt: true })
    const get = (coding: string) =>
      app.inject({ url: '/console/assets/index-1.js', headers: { 'accept-encoding': coding } })

    const [plain, gzipped, brotli] = [
      await get('identity'),
      await get('gzip'),
      await get('gzip, br'),
    ]

    assert.equal(plain.body, script)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(gzipped.headers['content-encoding'], 'gzip')
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), script)
    const tags = [plain, gzipped, brotli].map(({ headers }) => headers.etag)
    assert.equal(new Set(tags).size, 3)
    assert.equal(plain.headers.vary, 'Accept-Encoding')
  })

  it('304: the browser has the page already, and HEAD has no body', async (t) => {
    const { app } = start(t, { isBuilt: true })
    const etag = String((await app.inject('/console/')).headers.etag)

    const known = await app.inject({ url: '/console/', headers: { 'if-none-match': etag } })
    const head = await app.inject({ method: 'HEAD', url: '/console/assets/index-1.js' })

    assert.deepEqual([known.statusCode, known.body], [304, ''])
    assert.deepEqual([head.statusCode, head.body], [200, ''])
    assert.equal(head.headers['content-length'], String(script.length))
  })

  it('308: /console leads to /console/, also behind a path that a proxy adds', async (t) => {
    const { statusCode, headers } = await start(t, { isBuilt: true }).app.inject('/console')

    assert.deepEqual([statusCode, headers.location], [308, 'console/'])
  })

  it('404: no file that the build does not name, nor another folder', async (t) => {
    const { app } = start(t, { isBuilt: true })
    for (const path of [
      'assets/index-2.js',
      'manifest.json',
      'index.html',
      '../package.json',
      'assets/..%2f..%2fmanifest.json',
      '__proto__/toString',
    ]) {
      const { statusCode } = await app.inject(`/console/${path}`)
      assert.equal(statusCode, 404, path)
    }
  })

  it('200: until there is a build the page says so; then it is there, and the next build too', async (t) => {
    const { app, build } = start(t, { isBuilt: false })
    const pageOf = async () => (await app.inject('/console/pets')).body

    const before = await pageOf()
    build('first')
    const first = await pageOf()
    build('second')
    const second = await pageOf()

    assert.match(before, /The console is not built yet[\s\S]*built when it is first opened/)
    assert.equal((await app.inject('/console/pending.js')).statusCode, 200)
    assert.match(first, /first/)
    assert.match(second, /second/)
  })

  it('the build starts when a page is first opened, once, also where an older build is shown', async (t) => {
    const { app, startedBuilds } = start(t, { isBuilt: true })
    await app.inject('/console/assets/index-1.js')
    assert.equal(startedBuilds(), 0)

    await app.inject('/console/')
    await app.inject('/console/pets')

    assert.equal(startedBuilds(), 1)
  })

  it('200: where the process does not build, or not for this client, the page says which command does', async (t) => {
    const { app } = start(t, { isBuilt: false, isBuilding: false })
    assert.match((await app.inject('/console/')).body, /npm run build:console/)

    const { app: other, startedBuilds } = start(t, { isBuilt: false })
    for (const request of [
      { remoteAddress: '192.0.2.7' },
      { remoteAddress: '192.0.2.7', headers: { 'x-forwarded-for': '127.0.0.1' } },
      // A proxy on this machine.
      { headers: { 'x-forwarded-for': '127.0.0.1' } },
      { headers: { forwarded: 'for=127.0.0.1' } },
      { headers: { host: 'pets.example.com' } },
      { headers: { host: '127.0.0.1.example.com:8080' } },
    ]) {
      const { body } = await other.inject({ url: '/console/', ...request })
      assert.match(body, /npm run build:console/, JSON.stringify(request))
    }
    assert.equal(startedBuilds(), 0)
    for (const [remoteAddress, host] of [
      ['127.0.0.1', 'localhost:8080'],
      ['::ffff:127.0.0.1', '127.0.0.1:8080'],
      ['::1', '[::1]:8080'],
    ] as const) {
      const { app: own, startedBuilds } = start(t, { isBuilt: false })
      await own.inject({ url: '/console/', remoteAddress, headers: { host } })
      assert.equal(startedBuilds(), 1, host)
    }
  })
})

/** The console of a folder, in which `build` puts a build of this text. */
function start(
  t: TestContext,
  { isBuilt, isBuilding = true }: { isBuilt: boolean; isBuilding?: boolean },
) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-console-'))
  const started: string[] = []
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    assert.ok(error instanceof ServiceError)
    return reply.code(errorKindOf(error.code).status).send()
  })
  registerConsole(app, {
    environment: 'staging',
    build: isBuilding ? async () => void started.push('build') : undefined,
    folder: pathToFileURL(`${folder}/`),
  })
  t.after(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  let builds = 0
  function write(path: string, content: string | Buffer) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  function build(text: string) {
    builds += 1
    const name = `build-${builds}`
    const html = `<meta name="petstore-environment" content="{{environment}}">${text}`
    write(`${name}/index.html`, html)
    write(`${name}/assets/index-1.js`, script)
    write(`${name}/assets/index-1.js.br`, brotliCompressSync(script))
    write(`${name}/assets/index-1.js.gz`, gzipSync(script))
    const files = { 'assets/index-1.js': { type: 'text/javascript; charset=utf-8', hash: 'abc' } }
    write('manifest.json', JSON.stringify({ stamp: name, folder: name, files }))
  }
  if (isBuilt) build('page')
  return { app, build, startedBuilds: () => started.length }
}
