import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PetstoreClient } from '../../client/src/index.ts'
import { aDirectory, freePort } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsFor, startService } from '../processes/process.ts'

const kills = 4
const petsPerRun = 60

async function followAcrossKills(t: TestContext, settings: Record<string, string>) {
  const port = await freePort()
  const env = { ...settingsFor(aDirectory(t)), PETSTORE_PORT: port, ...settings }
  let service = await startService({ env })
  t.after(() => service.kill())
  const { key } = service
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const client = new PetstoreClient({ baseUrl, key, retryDelayMs: 20, maxRetries: 100 })
  const other = await client.keys.create({ name: 'follower', scopes: ['pets:read'] })
  const follower = new PetstoreClient({ baseUrl, key: other.key })

  const yielded: unknown[] = []
  const following = (async () => {
    for await (const { id } of follower.events.follow({ after: 0 })) yielded.push(id)
  })().catch((error) => error)
  for (let run = 0; run <= kills; run++) {
    const creates = Array.from({ length: petsPerRun }, (_, index) =>
      client.pets.create({ name: `pet ${run} ${index}`, categoryId: 7 }),
    )
    if (run < kills) {
      await Promise.any(creates)
      await service.kill()
      service = await startService({ env })
    }
    await Promise.all(creates)
  }
  const listed: unknown[] = []
  for await (const { id } of follower.events.list()) listed.push(id)
  const endMs = performance.now() + 60_000
  while (yielded.length < listed.length && performance.now() < endMs) await sleep(20)

  assert.equal(listed.length, (kills + 1) * petsPerRun)
  assert.deepEqual(yielded, listed)
  await client.keys.revoke(other.id)
  const error = await following
  assert.deepEqual(
    [error.name, error.status, error.code],
    ['PetstoreApiError', 401, 'revoked_api_key'],
  )
}

it('each event is yielded once while the service is killed and restarted; a revoked key ends it', (t) =>
  followAcrossKills(t, {}))

it('on PostgreSQL too', async (t) => {
  const server = await anyPostgres()
  t.after(() => server.stop())
  const address = await server.createDatabase()
  await followAcrossKills(t, { PETSTORE_DATABASE: address })
})
