import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { startApp } from '../harness/app.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

function aFile(t: TestContext) {
  return {
    PETSTORE_ENVIRONMENT: 'staging',
    PETSTORE_DATABASE: `sqlite:${join(aDirectory(t), 'pets.db')}`,
  }
}

async function run(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread(['deprecations', ...args], { env })
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

it('deprecations: --json lists calls of deprecated operations by day and key, also those before a stop', async (t) => {
  const env = aFile(t)
  const app = await startApp({ settings: env, now: '2027-03-01T23:00:00Z' })
  const other = await app.issueKey({ name: 'shop' })
  await app.startJobs()
  for (const key of [app.key, app.key, other]) await app.api.get('/v1/pets/1', { key })
  await app.api.get('/v1/pets')
  await app.api.get('/v1/pets/1', { key: null })
  await app.close()
  assert.equal(JSON.parse(await run(env, '--json')).length, 2)

  const again = await startApp({ settings: env, now: '2027-03-01T23:30:00Z' })
  await again.api.get('/v1/pets/1', { key: other })
  await again.close()
  const later = await startApp({ settings: env, now: '2027-03-02T00:10:00Z' })
  await later.api.get('/v1/pets/1', { key: other })
  await later.close()

  const getPet = { operation: 'getPet' }
  const calls = JSON.parse(await run(env, '--json'))
  assert.deepEqual(calls, [
    { day: '2027-03-02', ...getPet, keyId: 2, keyName: 'shop', calls: 1 },
    { day: '2027-03-01', ...getPet, keyId: 1, keyName: 'test', calls: 2 },
    { day: '2027-03-01', ...getPet, keyId: 2, keyName: 'shop', calls: 2 },
  ])
  const table = await run(env)
  assert.match(table, /^day +operation +keyId +keyName +calls\n2027-03-02 +getPet +2 +shop +1\n/)
})
