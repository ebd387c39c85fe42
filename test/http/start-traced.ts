import type { TestContext } from 'node:test'
import { openTraces } from '../../src/app/traces.ts'
import { loadConfig } from '../../src/config/config.ts'
import { startListening } from './start-listening.ts'

/** A service for one test on its own port, whose traces go where these settings say. */
export async function startTraced(t: TestContext, settings: Record<string, string>) {
  const { config } = loadConfig({}, { PETSTORE_ENVIRONMENT: 'staging', ...settings })
  if (!config.traces) throw new Error('These settings have no collector.')
  const traces = openTraces(config, config.traces)
  const app = await startListening(
    { PETSTORE_ACCESS_LOG: 'on', ...settings },
    { observers: [traces.observer] },
  )
  const warnings: string[] = []
  traces.start((sentence) => warnings.push(sentence))
  t.after(traces.stop)
  return { ...app, observer: traces.observer, warnings, stopTraces: traces.stop }
}
