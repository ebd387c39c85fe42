import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepAsking } from '../harness/stop-clients.ts'
import { ask } from '../processes/command.ts'
import { startService } from '../processes/process.ts'

const ephemeral = ['serve', '--ephemeral', '--port', '0', '--json']

it('PETSTORE_DRAIN_MS: 64 clients are told to close, no connection is reset, and a second signal ends the drain', async () => {
  // Longer than a stop may take: only the second signal can end it.
  const env = { PETSTORE_DRAIN_MS: '600000' }
  await using service = await startService({ args: ephemeral, env })
  const clients = keepAsking(service, { count: 64, pauseMaxMs: 20 })
  await clients.running

  const exited = service.stop()
  await clients.stopped
  const ready = await ask(service.baseUrl.replace('/v1', '/health/ready'), service.key)
  const pets = await ask(`${service.baseUrl}/pets`, service.key)
  process.kill(service.pid, 'SIGTERM')
  const { code, stderr } = await exited

  assert.deepEqual(Object.keys(clients.outcomes), ['200'])
  assert.deepEqual([ready.status, ready.headers.get('connection')], [503, 'close'])
  assert.match(ready.text, /"unavailable".*stopping/)
  assert.deepEqual([pets.status, pets.headers.get('connection')], [200, 'close'])
  assert.equal(code, 0, stderr)
})
