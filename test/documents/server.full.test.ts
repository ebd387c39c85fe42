import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { get, request } from 'node:https'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { documents } from '../harness/documents.ts'
import { aDirectory } from '../processes/command.ts'
import { freePort, runNginx, runProgram, skipWithout } from '../processes/nginx.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

// The files of docs/guides/server.md, as they are but for addresses and certificates.

const startMaxMs = 60_000
const exposureMax = 2
const blocks = documents().find(({ path }) => path === 'docs/guides/server.md')?.blocks ?? []

it('the unit of docs/guides/server.md is valid, and exposes little', {
  skip: skipWithout('systemd-analyze'),
}, (t) => {
  const path = join(aDirectory(t), 'petstore.service')
  const text = textOf('ini', '[Service]')
  writeFileSync(path, text.replace('/opt/petstore/bin/petstore', process.execPath))

  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  const security = execFileSync('systemd-analyze', ['security', '--offline=yes', path], {
    encoding: 'utf8',
  })

  assert.deepEqual([status, stderr], [0, ''])
  const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(security)?.[1])
  assert.ok(exposure < exposureMax, `${exposure}`)
})

it('the nginx of docs/guides/server.md passes everything on, limits each address, and says in JSON that the service is down', {
  skip: skipWithout('nginx'),
}, async (t) => {
  const folder = aDirectory(t)
  const port = await freePort()
  const { service, address } = await start(folder, port)
  const certificate = makeCertificate(folder)
  const site = textOf('nginx', 'proxy_pass')
    .replace('127.0.0.1:8080', address)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/(ssl_certificate) .*;/, `$1 ${certificate.cert};`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${certificate.key};`)
  runNginx(t, site)

  await expectPassedOn(port, service)
  await expectLimits(port, service)

  await service.stop()
  const down = await ask(port, { path: '/v1/pets' })
  assert.equal(down.status, 503)
  assert.equal(down.headers['content-type'], 'application/json')
  const { code, status } = JSON.parse(down.body)
  assert.deepEqual([code, status], ['unavailable', 503])
})

it('the Caddy of docs/guides/server.md passes everything on', {
  skip: skipWithout('caddy'),
}, async (t) => {
  const folder = aDirectory(t)
  const port = await freePort()
  const { service, address } = await start(folder, port)
  const { cert, key } = makeCertificate(folder)
  const site = textOf('caddyfile', 'reverse_proxy')
    .replace('127.0.0.1:8080', address)
    .replace(
      'pets.example.com {',
      `https://pets.example.com:${port} {\n  tls ${cert} ${key}\n  bind 127.0.0.1`,
    )
  const path = join(folder, 'Caddyfile')
  writeFileSync(path, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`)
  runProgram(t, 'caddy', ['run', '--adapter', 'caddyfile', '--config', path], { HOME: folder })

  await expectPassedOn(port, service)

  await service.stop()
})

function textOf(language: string, part: string): string {
  const found = blocks.find((one) => one.language === language && one.text.includes(part))
  assert.ok(found, part)
  return found.text
}

/** The service as the guide sets it up, for clients of a proxy at this port. */
async function start(folder: string, proxyPort: number) {
  const port = await freePort()
  mkdirSync(join(folder, 'data'))
  const env = {
    ...settingsFor(join(folder, 'data')),
    PETSTORE_PORT: String(port),
    PETSTORE_PUBLIC_URL: `https://pets.example.com:${proxyPort}/v1`,
  }
  const service = await startService({ env, args: ['serve', '--json', '--seed', '100'] })
  return { service, address: `127.0.0.1:${port}` }
}

async function expectPassedOn(port: number, { key }: Service) {
  await waitForProxy(port)

  const page = await ask(port, { path: '/v1/pets?limit=20', key })
  const largest = await ask(port, { path: '/v1/pets', key, body: aPetOf(65_536) })
  const tooLarge = await ask(port, { path: '/v1/pets', key, body: aPetOf(65_537) })
  const docs = await ask(port, { path: '/docs' })

  assert.equal(page.status, 200)
  assert.equal(JSON.parse(page.body).length, 20)
  assert.ok(String(page.headers.link).startsWith(`<https://pets.example.com:${port}/v1/pets?`))
  assert.equal(largest.status, 201, largest.body)
  assert.match(
    String(largest.headers.location),
    new RegExp(`^https://pets.example.com:${port}/v1/pets/`),
  )
  assert.equal(tooLarge.status, 413)
  assert.equal(JSON.parse(tooLarge.body).code, 'body_too_large')
  assert.match(docs.body, /<html/)
}

/** What an address sends beyond its limits is refused; another address is served meanwhile. */
async function expectLimits(port: number, { key }: Service) {
  const flood = Array.from({ length: 400 }, () =>
    ask(port, { path: '/v1/pets', key: 'pet_live_wrong', from: '127.0.0.2' }),
  )
  const other = await ask(port, { path: '/v1/pets', key })
  const answers = await Promise.all(flood)

  assert.equal(other.status, 200)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401, 429]))
  const refused = answers.find(({ status }) => status === 429)
  assert.equal(JSON.parse(refused?.body ?? '').code, 'rate_limited')
  assert.equal(refused?.headers['retry-after'], '1')

  // More at once than an address may have, of which none ends.
  const slow = Array.from({ length: 110 }, () =>
    ask(port, { path: '/v1/pets', key, from: '127.0.0.3', body: 'a', isHeld: true }),
  )
  assert.equal((await Promise.any(slow)).status, 429)
}

/** A body of so many bytes. */
function aPetOf(bytes: number): string {
  return '{"name":"Sunny","categoryId":1}'.padEnd(bytes, ' ')
}

type Answer = { status: number; headers: Record<string, unknown>; body: string }
type Asked = {
  path: string
  key?: string
  body?: string
  /** The address of the client. */
  from?: string
  /** Whether the last byte of the body is not sent. */
  isHeld?: boolean
}

function ask(port: number, { path, key, body, from, isHeld }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = body === undefined ? get : request
    const sent = send(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        ...(from && { localAddress: from, agent: false }),
        servername: 'pets.example.com',
        // The certificate is of this test.
        rejectUnauthorized: false,
        headers: {
          host: `pets.example.com:${port}`,
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(isHeld && { 'content-length': '2' }),
        },
      },
      async (response) => {
        const chunks = await response.toArray()
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() })
      },
    )
    sent.once('error', reject)
    if (isHeld) sent.write(body)
    else sent.end(body)
  })
}

async function waitForProxy(port: number) {
  const endMs = performance.now() + startMaxMs
  while (true) {
    const isReady = await ask(port, { path: '/health/ready' }).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isReady) return
    assert.ok(performance.now() < endMs, 'The proxy does not respond.')
    await sleep(50)
  }
}

function makeCertificate(folder: string) {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=pets.example.com',
  ]
  const stdio = 'ignore'
  execFileSync(
    'openssl',
    [...args, '-addext', 'subjectAltName=DNS:pets.example.com', '-keyout', key, '-out', cert],
    { stdio },
  )
  return { cert, key }
}
