import { startService } from '../app/service.ts'
import { loadConfig } from '../config/config.ts'
import { parseInstant } from '../contract/instant.ts'
import { inMemory } from '../db/sqlite/connection.ts'
import { readFixture } from '../test-bench/fixture.ts'
import type { PetstoreOptions, Started } from './petstore.ts'

/** Starts a store in this process. */
export async function startHere(options: PetstoreOptions): Promise<Started> {
  const { now, firstId, seed, fixture, orderHoldMs, strict } = options
  const { config } = loadConfig(
    {},
    {
      PETSTORE_ENVIRONMENT: 'staging',
      PETSTORE_DATABASE: `sqlite:${inMemory}`,
      PETSTORE_PORT: '0',
      PETSTORE_LOG_LEVEL: 'fatal',
      ...(orderHoldMs === undefined ? {} : { PETSTORE_ORDER_HOLD_MS: String(orderHoldMs) }),
    },
  )
  const service = await startService({
    config,
    startMs: now === undefined ? undefined : parseInstant(now),
    firstId,
    seedCount: seed,
    fixture: fixture && readFixture(fixture),
    isStrict: strict,
    logStream: process.stderr,
    showsKey: true,
    onLost: () => undefined,
  })
  // A test that forgets to close its store ends all the same, as with a child.
  service.unref()
  return { baseUrl: service.baseUrl, key: service.firstKey?.key ?? '', close: service.stop }
}
