import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import { it } from 'node:test'
import { ask } from '../processes/command.ts'
import { type Service, startService } from '../processes/process.ts'

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

/** The number of requests by status or error message. */
type Outcomes = Record<string, number>

type Options = {
  count: number
  /** The pause between two requests. */
  pauseMaxMs: number
}

/**
 * Clients that request pets, one request after the other, each on a connection that it keeps. `running` resolves once
 * each has had a response, `stopped` once each has ended.
 */
function keepAsking(service: Service, { count, pauseMaxMs }: Options) {
  const outcomes: Outcomes = {}

  async function runClient(onAnswer: () => void) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (true) {
      const { outcome, isLast } = await askWith(agent, service)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      onAnswer()
      if (isLast) break
      await new Promise((next) => setTimeout(next, Math.random() * pauseMaxMs))
    }
    agent.destroy()
  }

  const clients = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { answered: promise, ended: runClient(resolve) }
  })
  return {
    outcomes,
    running: Promise.all(clients.map(({ answered }) => answered)),
    stopped: Promise.all(clients.map(({ ended }) => ended)),
  }
}

function askWith(agent: Agent, { baseUrl, key }: Service) {
  const { promise, resolve } = Promise.withResolvers<{ outcome: string; isLast: boolean }>()
  const fail = ({ message }: Error) => resolve({ outcome: message, isLast: true })
  const headers = { authorization: `Bearer ${key}` }
  const sent = request(`${baseUrl}/pets`, { agent, headers }).once('error', fail)
  sent.once('response', (response: IncomingMessage) => {
    const isLast = response.headers.connection === 'close'
    response.once('error', fail).resume()
    response.once('end', () => resolve({ outcome: String(response.statusCode), isLast }))
  })
  sent.end()
  return promise
}
