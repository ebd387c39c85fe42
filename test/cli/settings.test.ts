import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { startApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { aDirectory, ask, executable, freePort, spawnCommand, until } from '../processes/command.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

/** Only Linux has more than one loopback address without set-up. */
const onLinux = { skip: process.platform === 'linux' ? false : 'needs a second loopback address' }
const ephemeral = ['serve', '--ephemeral', '--port', '0', '--json']

const aPet = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Rex","categoryId":7}',
}

itInFull('PETSTORE_ENVIRONMENT: staging has its own keys and names itself', async (t) => {
  const env = { ...settingsFor(aDirectory(t)), PETSTORE_ENVIRONMENT: 'staging' }
  await using service = await startService({ env })

  assert.match(service.key, /^pet_test_/)
})

itInFull('PETSTORE_HOST: the service listens on this address and no other', onLinux, async () => {
  await using service = await startService({ args: ephemeral, env: { PETSTORE_HOST: '127.0.0.2' } })
  const { port, hostname } = new URL(service.baseUrl)

  assert.equal(hostname, '127.0.0.2')
  assert.equal((await ask(`${service.baseUrl}/pets`, service.key)).status, 200)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health/live`))
})

itInFull('PETSTORE_PORT: the service listens on this port', async (t) => {
  const port = await freePort()
  const env = { ...settingsFor(aDirectory(t)), PETSTORE_PORT: port }

  await using service = await startService({ env })

  assert.equal(new URL(service.baseUrl).port, port)
})

it('PETSTORE_CONSOLE: off leaves /console away, and no page leads there', async () => {
  const [on, off] = [await startApp(), await startApp({ settings: { PETSTORE_CONSOLE: 'off' } })]
  const browser = { headers: { accept: 'text/html' } }

  assert.equal((await on.server.inject('/console')).statusCode, 308)
  assert.equal((await off.server.inject('/console')).statusCode, 404)
  assert.equal((await off.server.inject('/console/')).statusCode, 404)
  assert.match((await on.server.inject({ url: '/', ...browser })).body, /"\.\/console\/"/)
  assert.doesNotMatch((await off.server.inject({ url: '/', ...browser })).body, /"\.\/console\/"/)
})

itInFull('PETSTORE_DATABASE: the data is in this file, or in memory', async (t) => {
  const directory = aDirectory(t)
  const path = join(directory, 'pets.sqlite')
  const common = { PETSTORE_PORT: '0', PETSTORE_FIRST_KEY_FILE: join(directory, 'key') }
  await using onDisk = await startService({
    env: { ...common, PETSTORE_DATABASE: `sqlite:${path}` },
  })
  await using inMemory = await startService({
    env: { ...common, PETSTORE_DATABASE: 'sqlite::memory:' },
  })

  assert.ok(existsSync(path))
  assert.equal((await ask(`${inMemory.baseUrl}/pets`, onDisk.key)).status, 401)
})

it('PETSTORE_PUBLIC_URL and PETSTORE_SIBLING_URL: links and the document have them', async (t) => {
  const env = {
    PETSTORE_PUBLIC_URL: 'https://pets.example.com/store/v1',
    PETSTORE_SIBLING_URL: 'https://live.pets.example.com/v1',
  }
  const service = spawnCommand(t, executable(...ephemeral), { env })
  const [line] = await service.waitFor(/.+(?=\n)/)
  const { baseUrl, key } = JSON.parse(line) as { baseUrl: string; key: string }
  const listening = /"listening":"(http:[^"]+)/
  await until(() => listening.test(service.output.stderr))
  const origin = listening.exec(service.output.stderr)?.[1]

  const created = await ask(`${origin}/v1/pets`, key, aPet)
  const { servers } = JSON.parse((await ask(`${origin}/openapi.json`, key)).text)

  assert.equal(baseUrl, env.PETSTORE_PUBLIC_URL)
  assert.equal(created.headers.get('location'), `${env.PETSTORE_PUBLIC_URL}/pets/1`)
  assert.deepEqual(
    servers.map(({ url }: { url: string }) => url),
    [env.PETSTORE_PUBLIC_URL, env.PETSTORE_SIBLING_URL],
  )
})

itInFull(
  'PETSTORE_FIRST_KEY_FILE: the first key is written there, also when a terminal would show it',
  async (t) => {
    const env = settingsFor(aDirectory(t))
    const service = spawnCommand(t, executable('serve', '--json'), { env })
    await service.waitFor(/\n/)

    assert.doesNotMatch(service.output.stdout, /pet_live_/)
    assert.match(readFileSync(env.PETSTORE_FIRST_KEY_FILE ?? '', 'utf8'), /^pet_live_/)
  },
)

itInFull('PETSTORE_LOG_LEVEL: error logs no requests, debug logs a line for each', async (t) => {
  const run = async (level: string) => {
    const service = spawnCommand(t, executable(...ephemeral), {
      env: { PETSTORE_LOG_LEVEL: level },
    })
    const [line] = await service.waitFor(/.+(?=\n)/)
    const { baseUrl, key } = JSON.parse(line) as { baseUrl: string; key: string }
    await ask(`${baseUrl}/pets?limit=3`, key, { headers: { 'x-request-id': 'mine' } })
    await service.stop()
    return { log: service.output.stderr, key }
  }

  const [quiet, detailed] = await Promise.all([run('error'), run('debug')])

  assert.equal(quiet.log, '')
  assert.match(
    detailed.log,
    /"level":20.*"requestId":"mine","method":"GET","url":"\/v1\/pets\?limit=3".*"status":200/,
  )
  assert.ok(!detailed.log.includes(detailed.key))
})

itInFull(
  'PETSTORE_ACCESS_LOG: on has a line for each request, errors for those from 400 on, off for none',
  async () => {
    const run = async (setting: string) => {
      await using service = await startService({
        args: ephemeral,
        env: setting === '' ? {} : { PETSTORE_ACCESS_LOG: setting },
      })
      const url = `${service.baseUrl}/pets`
      const statuses = [await ask(url, service.key), await ask(url, '')].map(({ status }) => status)
      assert.deepEqual(statuses, [200, 401])
      const { stderr } = await service.stop()
      return stderr.match(/(?<="status":)\d+/g) ?? []
    }

    assert.deepEqual(await Promise.all(['on', 'errors', 'off', ''].map(run)), [
      ['200', '401'],
      ['401'],
      [],
      ['401'],
    ])
  },
)

// What the settings of these tests do is tested in process too, with the same names.
itInFull(
  'PETSTORE_CORS_ORIGINS: pages of these origins may read responses, others may not; a store in memory is open to all where it is absent',
  async () => {
    const env = { PETSTORE_CORS_ORIGINS: 'https://shop.example.com' }
    await using service = await startService({ args: ephemeral, env })
    const open = await plainService()
    const allowed = async ({ baseUrl, key }: Service, origin: string) =>
      (await ask(`${baseUrl}/pets`, key, { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      )

    assert.equal(await allowed(service, 'https://shop.example.com'), 'https://shop.example.com')
    assert.equal(await allowed(service, 'https://other.example.com'), null)
    assert.equal(await allowed(open, 'https://shop.example.com'), '*')
  },
)

itInFull('PETSTORE_HEADERS_TIMEOUT_MS: 408 when a header block stops arriving', async () => {
  const env = { PETSTORE_HEADERS_TIMEOUT_MS: '100' }
  await using service = await startService({ args: ephemeral, env })

  const answer = await exchange(service, 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n')

  assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*"request_timeout"/)
})

itInFull('PETSTORE_REQUEST_TIMEOUT_MS: 408 when a body stops arriving', async () => {
  const env = { PETSTORE_REQUEST_TIMEOUT_MS: '100' }
  await using service = await startService({ args: ephemeral, env })
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n`

  const answer = await exchange(service, `${head}Content-Length: 9\r\n\r\n{`)

  assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*"request_timeout"/)
})

itInFull(
  'PETSTORE_RESPONSE_TIMEOUT_MS: a client that stops reading its responses is disconnected',
  async (t) => {
    const env = { PETSTORE_RESPONSE_TIMEOUT_MS: '100' }
    const service = spawnCommand(t, executable(...ephemeral, '--seed', '100'), { env })
    const [line] = await service.waitFor(/.+(?=\n)/)
    const { baseUrl, key } = JSON.parse(line) as Service
    const { hostname, port } = new URL(baseUrl)
    const head = `HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`

    const socket = connect(Number(port), hostname).on('error', () => undefined)
    socket.pause().write(`GET /v1/pets?limit=100 ${head}`.repeat(2_000))

    await until(() => /"1 connection was reset: nobody read/.test(service.output.stderr))
    socket.destroy()
  },
)

itInFull(
  'PETSTORE_CONNECTIONS_MAX: connections beyond the maximum get health responses only',
  async () => {
    const env = { PETSTORE_CONNECTIONS_MAX: '1' }
    await using service = await startService({ args: ephemeral, env })
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    const { hostname, port } = new URL(service.baseUrl)
    const held = connect(Number(port), hostname)
    const expect = `Authorization: Bearer ${service.key}\r\nExpect: 100-continue\r\nContent-Length: 9`
    held.write(`POST /v1/pets HTTP/1.1\r\nHost: a\r\n${expect}\r\n\r\n`)
    await once(held, 'data')

    const pets = await exchange(service, get('/v1/pets'))
    const health = await exchange(service, get('/health/live'))

    assert.match(pets, /^HTTP\/1\.1 503 [\s\S]*"unavailable"/)
    assert.match(health, /^HTTP\/1\.1 200 /)
    held.destroy()
  },
)

itInFull(
  'PETSTORE_ORDER_HOLD_MS: orders hold their pets for this long, and forever when it is not set',
  async () => {
    const env = { PETSTORE_ORDER_HOLD_MS: '900000' }
    await using service = await startService({ args: ephemeral, env })
    const endless = await plainService()

    const order = await placeOrder(service)
    const endlessOrder = await placeOrder(endless)

    assert.equal(Date.parse(order.expiresAt ?? '') - Date.parse(order.createdAt), 900_000)
    assert.equal(endlessOrder.expiresAt, undefined)
  },
)

itInFull(
  'PETSTORE_ORDER_HOLD_MS: holds that end while the service is down have ended when it is up again',
  async (t) => {
    const env = {
      ...settingsFor(aDirectory(t)),
      PETSTORE_ENVIRONMENT: 'staging',
      PETSTORE_ORDER_HOLD_MS: '86400000',
    }
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString()
    await using before = await startService({ env })
    await placeOrder(before)
    await before.stop()
    const read = async ({ baseUrl, key }: Service, path: string) =>
      (await ask(`${baseUrl}${path}`, key)).text

    await using early = await startService({ env })
    const held = await read(early, '/inventory')
    await early.stop()
    await using service = await startService({ env, args: ['serve', '--json', '--now', later] })

    assert.equal(held, '[{"petId":1,"quantity":1,"status":"pending"}]')
    assert.equal(
      await read(service, '/inventory'),
      '[{"petId":1,"quantity":1,"status":"available"}]',
    )
    assert.match(await read(service, '/store/orders/1'), /"status":"expired"/)
  },
)

let plain: Promise<Service> | undefined
after(async () => void (await (await plain)?.kill()))

/** A service in memory without settings. */
function plainService(): Promise<Service> {
  plain ??= startService({ args: ephemeral })
  return plain
}

async function placeOrder({ baseUrl, key }: Service) {
  const send = (path: string, body: string) => ask(`${baseUrl}${path}`, key, { ...aPet, body })
  await send('/pets', '{"name":"Rex","categoryId":7,"status":"available"}')
  const { status, text } = await send('/store/orders', '{"petId":1}')
  assert.equal(status, 201, text)
  return JSON.parse(text) as { createdAt: string; expiresAt?: string }
}

/** Sends a text, and returns everything that comes back until the other side closes. */
function exchange({ baseUrl }: Service, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
    socket.on('close', () => resolve(answer)).on('error', reject)
  })
}
