import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aDirectory, ask, until } from '../processes/command.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

const ephemeral = ['serve', '--ephemeral', '--port', '0', '--json']
const aPet = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Rex","categoryId":7}',
}

it('PETSTORE_EVENTS_KEEP_DAYS: events that became older while the service was down are deleted', async (t) => {
  const env = {
    ...settingsFor(aDirectory(t)),
    PETSTORE_ENVIRONMENT: 'staging',
    PETSTORE_EVENTS_KEEP_DAYS: '1',
  }
  await using before = await startService({ env })
  await ask(`${before.baseUrl}/pets`, before.key, aPet)
  const kept = await readEvents(before)
  await before.stop()

  const later = new Date(Date.now() + 2 * 86_400_000).toISOString()
  await using service = await startService({ env, args: ['serve', '--json', '--now', later] })

  assert.equal(kept.status, 200)
  await until(async () => (await readEvents(service)).status === 410)
})

it('PETSTORE_EVENTS_MAX: the oldest events beyond this number are deleted', async () => {
  const args = [...ephemeral, '--seed', '1500']
  await using service = await startService({ args, env: { PETSTORE_EVENTS_MAX: '1000' } })

  await until(async () => (await readEvents(service)).status === 410)
})

it('PETSTORE_STREAMS_MAX: further streams get 503', async (t) => {
  const env = { PETSTORE_STREAMS_MAX: '1' }
  await using service = await startService({ args: ephemeral, env })
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const headers = { authorization: `Bearer ${service.key}`, accept: 'text/event-stream' }
  const statusOfStream = async () =>
    (await fetch(`${service.baseUrl}/events`, { headers, signal: leaving.signal })).status

  assert.deepEqual([await statusOfStream(), await statusOfStream()], [200, 503])
})

/** The events from the beginning. */
const readEvents = ({ baseUrl, key }: Service) => ask(`${baseUrl}/events?after=0`, key)
