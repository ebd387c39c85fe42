import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { describeConfig, loadConfig } from '../../src/config/config.ts'
import { sampleOf } from '../harness/exposition.ts'
import { serveHere } from '../harness/serve-here.ts'
import { aDirectory, freePort } from '../processes/command.ts'
import { settingsFor } from '../processes/process.ts'

/** A new store of staging is not warned of. */
const staging = (t: TestContext) => ({
  ...settingsFor(aDirectory(t)),
  PETSTORE_ENVIRONMENT: 'staging',
})

it('PETSTORE_METRICS_ADDRESS: metrics have a port of their own; beyond loopback a start warns', async (t) => {
  const port = await freePort()
  const PETSTORE_METRICS_ADDRESS = `0.0.0.0:${port}`
  await using service = await serveHere({ ...staging(t), PETSTORE_METRICS_ADDRESS })

  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const elsewhere = await fetch(new URL('/metrics', service.baseUrl))

  assert.equal(sampleOf(text, 'petstore_streams_max'), 500)
  assert.equal(elsewhere.status, 404)
  assert.equal(service.metricsUrl, `http://0.0.0.0:${port}/metrics`)
  const lines = service.log.map((line) => JSON.parse(line))
  const warnings = lines.filter(({ level }) => level === 40).map(({ msg }) => msg)
  assert.deepEqual(warnings, [
    `PETSTORE_METRICS_ADDRESS is 0.0.0.0:${port}, and metrics need no key: let only your Prometheus reach that port.`,
  ])
})

it('PETSTORE_METRICS_ADDRESS: a port alone is one of 127.0.0.1; a host of IPv6 is in brackets', () => {
  const shown = (text: string) =>
    describeConfig(loadConfig({}, { PETSTORE_METRICS_ADDRESS: text }).config).find(
      ({ name }) => name === 'PETSTORE_METRICS_ADDRESS',
    )?.value

  assert.deepEqual(['9464', '[::1]:9464', 'store-1.internal:9464'].map(shown), [
    '127.0.0.1:9464',
    '[::1]:9464',
    'store-1.internal:9464',
  ])
  for (const wrong of ['', ':9464', '::1:9464', '127.0.0.1', '1.2.3.4:', 'a b:1', 'a:65536', '-1'])
    assert.throws(() => shown(wrong), /PETSTORE_METRICS_ADDRESS is ".*"; it must be HOST:PORT/)
})
