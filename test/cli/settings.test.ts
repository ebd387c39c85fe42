import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { ask } from '../processes/command.ts'
import { startService } from '../processes/process.ts'

/** Only Linux has more than one loopback address without set-up. */
const onLinux = { skip: process.platform === 'linux' ? false : 'needs a second loopback address' }
const ephemeral = ['serve', '--ephemeral', '--port', '0', '--json']

itInFull('PETSTORE_HOST: the service listens on this address and no other', onLinux, async () => {
  await using service = await startService({ args: ephemeral, env: { PETSTORE_HOST: '127.0.0.2' } })
  const { port, hostname } = new URL(service.baseUrl)

  assert.equal(hostname, '127.0.0.2')
  assert.equal((await ask(`${service.baseUrl}/pets`, service.key)).status, 200)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health/live`))
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
