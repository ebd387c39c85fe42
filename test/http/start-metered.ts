import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { listenForMetrics } from '../../src/app/listen-for-metrics.ts'
import { openMetrics } from '../../src/app/metrics.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { Log } from '../../src/telemetry/log.ts'
import { startListening } from './start-listening.ts'

/** A service for one test on its own port, with metrics on another. */
export async function startMetered(t: TestContext, settings: Record<string, string> = {}) {
  const { config } = loadConfig({}, { PETSTORE_ENVIRONMENT: 'staging', ...settings })
  const { observers, expose } = openMetrics(config)
  const app = await startListening(settings, { observers })
  const logged: unknown[][] = []
  const log = { error: (...line: unknown[]) => logged.push(line) } as unknown as Log
  const address = { host: '127.0.0.1', port: 0, text: '' }
  const { url, close } = await listenForMetrics(expose(app), address, log)
  t.after(close)
  return {
    ...app,
    url,
    logged,
    /** The text of all metrics. */
    async scrape(): Promise<string> {
      const response = await fetch(url)
      const text = await response.text()
      assert.equal(response.status, 200, text)
      assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
      return text
    },
  }
}
