import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { example } from '../harness/documents.ts'
import { aDirectory, freePort } from '../processes/command.ts'
import { runNginx, runProgram, skipWithout } from '../processes/nginx.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

// The files of the guides, as they are but for addresses and certificates.

const startMaxMs = 60_000
const exposureMax = 2

it('the unit of docs/examples/server/ is valid, and exposes little', {
  skip: skipWithout('systemd-analyze'),
}, (t) => {
  const path = join(aDirectory(t), 'petstore.service')
  const text = example('server/petstore.service')
  writeFileSync(path, text.replace('/opt/petstore/bin/petstore', process.execPath))

  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  const security = execFileSync('systemd-analyze', ['security', '--offline=yes', path], {
    encoding: 'utf8',
  })

  assert.deepEqual([status, stderr], [0, ''])
  const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(security)?.[1])
  assert.ok(exposure < exposureMax, `${exposure}`)
})

it('the nginx of docs/examples/server/ passes everything on, limits each address, and says in JSON that the service is down', {
  skip: skipWithout('nginx'),
}, async (t) => {
  const folder = aDirectory(t)
  const port = await freePort()
  const { service, address } = await start(folder, port)
  const certificate = makeCertificate(folder)
  const site = example('server/nginx.conf')
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

it('the nginx of docs/examples/fleet/, which is that of compose.yaml, passes everything on', {
  skip: skipWithout('nginx'),
}, async (t) => {
  const port = await freePort()
  const { service, address } = await start(aDirectory(t), port)
  t.after(() => service.kill())
  const site = example('fleet/nginx.conf')
    .replaceAll(/10\.0\.0\.1\d:8080/g, address)
    .replace('listen ADDRESS:8080', `listen 127.0.0.1:${port}`)
  runNginx(t, site)

  await expectPassedOn(port, service, { isPlain: true })
})

it('the Caddy of docs/examples/server/ passes everything on', {
  skip: skipWithout('caddy'),
}, async (t) => {
  const folder = aDirectory(t)
  const port = await freePort()
  const { service, address } = await start(folder, port)
  const { cert, key } = makeCertificate(folder)
  const site = example('server/Caddyfile')
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

/** The service as the guide sets it up, for clients of a proxy at this port. */
async function start(folder: string, proxyPort: string) {
  const port = await freePort()
  mkdirSync(join(folder, 'data'))
  const env = {
    ...settingsFor(join(folder, 'data')),
    PETSTORE_PORT: port,
    PETSTORE_PUBLIC_URL: `https://pets.example.com:${proxyPort}/v1`,
  }
  const service = await startService({ env, args: ['serve', '--json', '--seed', '100'] })
  return { service, address: `127.0.0.1:${port}` }
}

async function expectPassedOn(port: string, { key }: Service, proxy: { isPlain?: true } = {}) {
  const send = (asked: Asked) => ask(port, { key, ...proxy, ...asked })
  await waitForProxy(send)

  const page = await send({ path: '/v1/pets?limit=20' })
  const packed = await send({ path: '/v1/pets?limit=20', headers: { 'accept-encoding': 'gzip' } })
  const largest = await send({ path: '/v1/pets', body: aPetOf(65_536) })
  const tooLarge = await send({ path: '/v1/pets', body: aPetOf(65_537) })
  const imported = await send({ path: '/v1/pets/import', body: largestImport(), headers: csv })
  const exported = await send({ path: '/v1/pets/export', headers: { 'accept-encoding': 'gzip' } })
  const docs = await send({ path: '/docs' })

  assert.equal(page.status, 200)
  assert.equal(JSON.parse(page.body).length, 20)
  assert.equal(gunzipSync(packed.bytes).toString(), page.body)
  assert.ok(String(page.headers.link).startsWith(`<https://pets.example.com:${port}/v1/pets?`))
  assert.equal(largest.status, 201, largest.body)
  assert.match(
    String(largest.headers.location),
    new RegExp(`^https://pets.example.com:${port}/v1/pets/`),
  )
  assert.equal(tooLarge.status, 413)
  assert.equal(JSON.parse(tooLarge.body).code, 'body_too_large')
  assert.equal(JSON.parse(imported.body).created, 1_000, imported.body)
  // As it was sent: with its length, and in parts that can be asked for.
  assert.equal(exported.headers['content-length'], String(exported.bytes.length))
  // A description of several lines is one field, in quotes.
  const lines = exported.body.replaceAll(/"[^"]*"/g, '').split('\n')
  assert.equal(lines.length, 100 + 1 + 1_000 + 2)
  assert.match(docs.body, /<html/)

  const stream = { path: '/v1/events', headers: { accept: 'text/event-stream' } }
  const onStart = () => send({ path: '/v1/pets', body: aPetOf(100) })
  assert.match((await send({ ...stream, onStart })).body, /^event: pet\.created$/m)
}

const csv = { 'content-type': 'text/csv' }

/** A part of an import with as many rows and bytes as it may have. */
function largestImport(): string {
  const head = 'name,categoryId,notes\n'
  const row = 'Rex,7,'.padEnd(2_090, 'x')
  return `${head}${`${row}\n`.repeat(999)}Rex,7,`.padEnd(2 ** 21, 'x')
}

/** What an address sends beyond its limits is refused; another address is served meanwhile. */
async function expectLimits(port: string, { key }: Service) {
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

type Answer = { status: number; headers: Record<string, unknown>; bytes: Buffer; body: string }
type Asked = {
  path: string
  key?: string
  body?: string
  headers?: Record<string, string>
  /** The address of the client. */
  from?: string
  /** Whether the last byte of the body is not sent. */
  isHeld?: boolean
  /** What is done once a stream has begun; of that, one more chunk is read. */
  onStart?(): Promise<unknown>
  /** Whether the proxy speaks plain HTTP. */
  isPlain?: boolean
}

async function ask(
  port: string,
  { path, key, body, headers: given, from, isHeld, onStart, isPlain }: Asked,
): Promise<Answer> {
  const sent = (isPlain ? requestPlain : request)({
    host: '127.0.0.1',
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    ...(from && { localAddress: from, agent: false }),
    ...(!isPlain && { servername: 'pets.example.com' }),
    // The certificate is of this test.
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(startMaxMs),
    headers: {
      host: `pets.example.com:${port}`,
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(isHeld && { 'content-length': '2' }),
      ...given,
    },
  })
  // One that is held can fail once it has its response.
  sent.on('error', () => undefined)
  if (isHeld) sent.write(body)
  else sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const reading = response.iterator()
  const chunks: Buffer[] = onStart ? [(await reading.next()).value] : []
  await onStart?.()
  for await (const chunk of reading) {
    chunks.push(chunk)
    if (onStart) break
  }
  const { statusCode = 0, headers } = response
  const bytes = Buffer.concat(chunks)
  return { status: statusCode, headers, bytes, body: bytes.toString() }
}

async function waitForProxy(send: (asked: Asked) => Promise<Answer>) {
  const endMs = performance.now() + startMaxMs
  while (true) {
    const isReady = await send({ path: '/health/ready' }).then(
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
