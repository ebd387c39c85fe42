import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { it } from 'node:test'
import { expectError, startApp, type TestApp } from '../../test/harness/app.ts'
import { itInFull } from '../../test/harness/extent.ts'
import { frontDoor } from './front-door.ts'
import { notFoundPage } from './not-found.ts'

const browser =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const origin = 'http://petstore.test'

/** Asks as a browser does when somebody opens an address. */
const open = ({ server }: TestApp, url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { host: 'petstore.test', accept: browser, ...headers } })

it('200: a browser that opens the address is led to the reference, the guides and health', async () => {
  const app = await startApp()

  const response = await open(app, '/')

  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(response.headers['cache-control'], 'private, no-cache')
  assert.equal(response.headers.vary, 'Accept, Accept-Encoding')
  assert.equal(response.headers['x-content-type-options'], 'nosniff')
  for (const href of ['./docs', './guides', './guides/errors', './health/ready', './health/live']) {
    assert.ok(response.body.includes(`href="${href}"`), href)
  }
  assert.match(response.body, /<code>http:\/\/petstore\.test\/v1<\/code>/)
  const { etag = '' } = response.headers
  const again = await open(app, '/', { 'if-none-match': String(etag) })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  const head = await app.server.inject({ method: 'HEAD', url: '/', headers: { accept: browser } })
  assert.deepEqual([head.statusCode, head.body], [200, ''])
})

itInFull(
  '200: every link of every page leads somewhere, also from a page for a wrong address',
  async () => {
    const app = await startApp()
    const pages = new Map<string, string>()
    const links: [from: string, to: URL][] = []
    const waiting = ['/', '/a/b/c']
    for (const path of waiting) {
      const { statusCode, headers, body } = await open(app, path)
      assert.equal(statusCode, path === '/a/b/c' ? 404 : 200, path)
      pages.set(path, body)
      if (!/^text\/html/.test(String(headers['content-type']))) continue
      const isReference = path === '/docs'
      const hasScript = isReference || path.startsWith('/guides/')
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
      // The console has a script once it is built.
      if (!path.startsWith('/console/')) {
        assert.equal(/script-src 'self'/.test(policy), hasScript, path)
        assert.equal(/connect-src/.test(policy), isReference, path)
        assert.equal(/<script/.test(body), hasScript, path)
      }
      for (const [, target = ''] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const to = new URL(target.replaceAll('&amp;', '&'), `${origin}${path}`)
        if (to.origin !== origin) continue
        links.push([path, to])
        if (!waiting.includes(to.pathname)) waiting.push(to.pathname)
      }
    }

    for (const [from, { pathname, hash }] of links) {
      if (hash === '') continue
      const id = `id="${decodeURIComponent(hash.slice(1))}"`
      assert.ok(pages.get(pathname)?.includes(id), `${from} links to ${pathname}${hash}`)
    }
    for (const file of globSync('{guides,operations}/*.md', {
      cwd: new URL('../../docs/', import.meta.url),
    })) {
      const path = `/guides/${basename(file, '.md')}`
      assert.ok(pages.has(path), `no page leads to ${path}: list it in docs/README.md`)
    }
  },
)

it('200: a program that a guide leads to is sent as text', async () => {
  const app = await startApp()

  const guide = await open(app, '/guides/testing-against-it')
  const program = await open(app, '/guides/examples/tests/test_pets.py')

  assert.match(guide.body, /href="examples\/tests\/test_pets\.py"/)
  assert.equal(program.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(program.body, /^import pytest$/m)
})

it('404: a browser gets a page, which names the nearest address and shows what was asked for as text', async () => {
  const app = await startApp()

  const near = await open(app, '/guides/setting')
  const hostile = notFoundPage(
    { environment: 'staging', isInMemory: true, hasConsole: false },
    { path: '/a/<img src=x onerror=alert(1)>"&', near: ['/<b>'], requestId: '"><i>' },
  ).text

  assert.equal(near.statusCode, 404)
  assert.equal(near.headers['cache-control'], 'no-store')
  assert.match(near.body, /Did you mean <a href="\.\.\/guides\/settings">/)
  assert.match(near.body, new RegExp(`Request ${near.headers['x-request-id']}`))
  assert.match(hostile, /<code class="path">\/a\/&lt;img src=x onerror=alert\(1\)&gt;&quot;&amp;</)
  assert.doesNotMatch(hostile, /<(?:b|i)>|<img src=x/)
})

it('200: a program that opens the address gets the same links as JSON', async () => {
  const { api } = await startApp()

  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/html, application/json',
    'text/html;q=0',
    'text/*',
    'text/html;q=0.5, */*',
  ]) {
    const headers = accept === undefined ? {} : { accept }
    const response = await api.get('/', { key: null, headers })

    assert.deepEqual([response.status, response.headers.vary], [200, 'Accept'])
    assert.deepEqual(response.json(), {
      environment: 'staging',
      baseUrl: `${origin}/v1`,
      openapi: `${origin}/openapi.json`,
      docs: `${origin}/docs`,
      guides: `${origin}/guides`,
      console: `${origin}/console/`,
      live: `${origin}/health/live`,
      ready: `${origin}/health/ready`,
    })
  }
  assert.equal((await api.send('HEAD', '/', { key: null })).status, 200)
})

it('404: programs get JSON at an address that does not exist, and so does anybody below /v1', async () => {
  const { api } = await startApp()
  const asked: [method: string, url: string, accept: string | undefined][] = [
    ['GET', '/nothing', undefined],
    ['GET', '/nothing', '*/*'],
    ['GET', '/nothing', 'text/html;q=0.9, application/json'],
    ['GET', '/v1', browser],
    ['GET', '/v1/', browser],
    ['GET', '/v1/nothing', browser],
    ['POST', '/', browser],
    ['DELETE', '/nothing', browser],
  ]
  for (const [method, url, accept] of asked) {
    const headers = accept === undefined ? {} : { accept }
    const response = await api.send(method, url, { key: null, headers })

    expectError(response, 404, 'not_found')
    assert.equal(response.headers.vary, undefined)
  }
  const problem = await api.get('/nothing', {
    key: null,
    headers: { accept: 'text/html, application/problem+json' },
  })
  assert.equal(problem.headers['content-type'], 'application/problem+json; charset=utf-8')
})

it('the front door says which store it is of, and leads to a console only where there is one', () => {
  const pageOf = (more: object) =>
    frontDoor(
      { environment: 'production', isInMemory: false, hasConsole: false, ...more },
      'http://a.test/v1',
    ).text

  const production = pageOf({})
  const staging = pageOf({ environment: 'staging' })

  assert.doesNotMatch(production, /environment-bar|Staging/)
  assert.match(
    staging,
    /<aside class="environment-bar" aria-label="Environment"><strong>Staging<\/strong>: its own data/,
  )
  assert.match(staging, /<title>Staging: /)
  assert.match(pageOf({ isInMemory: true }), /Production, in memory.*forgets everything/)
  assert.doesNotMatch(production, /href="[^"]*console/)
  assert.match(pageOf({ hasConsole: true }), /<a href="\.\/console\/">Console<\/a>/)
})
