import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { startApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { aDirectory, ask, executable, freePort, spawnCommand } from '../processes/command.ts'
import { settingsFor, startService } from '../processes/process.ts'

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
